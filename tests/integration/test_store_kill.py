"""A program killed at a random moment of writing records or artefacts: nothing is half there."""

from __future__ import annotations

import hashlib
import random
import subprocess
import sys
import textwrap
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rony_desktop.store.artifact import FileArtifactStore
from rony_desktop.store.record import FileRecordStore

RECORDS = """
    import asyncio, sys
    from pathlib import Path
    from rony_desktop.store.record import FileRecordStore

    async def main():
        store = FileRecordStore(Path(sys.argv[1]))
        for number in range(100_000):
            record = {"number": number, "words": "word " * (number % 3000)}
            await store.put("grants", f"k{number % 7}", record)
            print(number, flush=True)

    asyncio.run(main())
"""
ARTIFACTS = """
    import asyncio, hashlib, os, sys
    from pathlib import Path
    from rony_desktop.store.artifact import FileArtifactStore

    async def main():
        store = FileArtifactStore(Path(sys.argv[1]))
        for number in range(100_000):
            data = os.urandom(number * 7919 % 2_000_000)
            kept = await store.put(data, "x", "text/plain")
            print(kept.id, hashlib.sha256(data).hexdigest(), flush=True)

    asyncio.run(main())
"""


def killed(code: str, folder: Path) -> list[str]:
    """What a writer said it had written before it was killed at a random moment."""
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), str(folder)],
        stdout=subprocess.PIPE,
        text=True,
    ) as writer:
        assert writer.stdout
        said = [writer.stdout.readline()]
        until = time.monotonic() + random.uniform(0.0, 0.3)
        while time.monotonic() < until:
            said.append(writer.stdout.readline())
        writer.kill()
        said += [line for line in writer.stdout if line.endswith("\n")]
    return [line.strip() for line in said]


@pytest.mark.race
@pytest.mark.parametrize("repeat", range(10))
async def test_no_record_is_lost_or_half_there(tmp_path: Path, repeat: int) -> None:
    last = int(killed(RECORDS, tmp_path)[-1])
    store = FileRecordStore(tmp_path)
    records = await store.list("grants")
    numbers = sorted(record["number"] for record in records.values())
    # One more may be written and not yet said.
    ends = [list(range(max(0, end - 6), end + 1)) for end in (last, last + 1)]
    assert numbers in ends
    assert all(r["words"] == "word " * (r["number"] % 3000) for r in records.values())
    await store.put("grants", "next", {"number": -1})
    assert (await store.get("grants", "next")) == {"number": -1}
    assert store.notices == []


@pytest.mark.race
@pytest.mark.parametrize("repeat", range(10))
async def test_no_artefact_is_lost_or_half_there(tmp_path: Path, repeat: int) -> None:
    said = dict(line.split() for line in killed(ARTIFACTS, tmp_path))
    store = FileArtifactStore(tmp_path)
    whole = [path.name.split(".") for path in tmp_path.iterdir() if path.suffix != ".tmp"]
    assert set(said) <= {id for id, _ in whole}
    assert len(whole) <= len(said) + 1
    for id, digest in whole:
        assert hashlib.sha256(await store.load(id)).hexdigest() == said.get(id, digest)
    await store.purge(datetime(2100, 1, 1, tzinfo=UTC))
    assert list(tmp_path.iterdir()) == []
