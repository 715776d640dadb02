"""A program killed at a random moment of writing: no acknowledged message is lost."""

from __future__ import annotations

import random
import subprocess
import sys
import textwrap
import time

import pytest

from rony_desktop.contract.session import EntryKind, NewEntry
from rony_desktop.store.place import Place
from rony_desktop.store.session import FileSessionStore

WRITER = """
    import asyncio
    from rony_desktop.contract.session import EntryKind, NewEntry
    from rony_desktop.store.place import Place
    from rony_desktop.store.session import FileSessionStore

    async def main():
        place = Place.of()
        place.prepare()
        store = FileSessionStore(place)
        parent = None
        for number in range(100_000):
            id = f"m{number}"
            body = {"role": "user", "content": f"{number} " + "word " * (number % 300)}
            message = NewEntry(EntryKind.MESSAGE, body, parent, id)
            mark = NewEntry(EntryKind.MARK, {"folder": id})
            await store.append("s", [message, mark], durable=number % 3 == 0)
            print(number, flush=True)
            parent = id

    asyncio.run(main())
"""


@pytest.mark.race
@pytest.mark.parametrize("repeat", range(3))
async def test_no_acknowledged_message_is_lost_by_a_kill(repeat: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(WRITER)], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout
        said = [int(writer.stdout.readline())]
        until = time.monotonic() + random.uniform(0.01, 0.5)
        while time.monotonic() < until:
            said.append(int(writer.stdout.readline()))
        writer.kill()
        said += [int(line) for line in writer.stdout if line.endswith("\n")]

    store = FileSessionStore(Place.of())
    session = await store.load("s")
    numbers = [int(m.message.content.split()[0]) for m in session.messages]
    assert numbers == list(range(len(numbers)))
    assert len(numbers) in (said[-1] + 1, said[-1] + 2)  # one more may be written, not yet said

    next_ = NewEntry(EntryKind.MESSAGE, {"role": "user", "content": "next"}, session.leaf, "next")
    await store.append("s", [next_], durable=True)
    again = await store.load("s")
    assert len(again.messages) == len(numbers) + 1
    assert [row.messages for row in await store.list()] == [len(again.messages)]
    await store.aclose()
