"""Program and engine killed in mid-answer: nothing acknowledged is lost, and all goes on."""

from __future__ import annotations

import asyncio
import random
import signal
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psutil
import pytest

from rony_desktop.contract.message import Role
from rony_desktop.contract.session import MessageStatus, Session
from rony_desktop.store.place import Place
from rony_desktop.store.session import FileSessionStore
from tests.e2e.deadline import until
from tests.e2e.home import Chat, Home, is_gone
from tests.e2e.program import run
from tests.e2e.window import Window, opened

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.x11,
    pytest.mark.engine,
    pytest.mark.race,
    pytest.mark.timeout(180),
]

STORY = "Write a very long story about a dragon with many chapters."
REPEATS = range(3)
ANSWER_S = 90.0
ORPHAN_S = 2.0
TOLD_S = 10.0
ENDED_S = 5.0
LOST = timedelta(seconds=1)


def loaded(chat: str) -> Session:
    """A chat as the program's next start reads it."""

    async def load() -> Session:
        store = FileSessionStore(Place.of())
        try:
            return await store.load(chat)
        finally:
            await store.aclose()

    return asyncio.run(load())


@pytest.mark.parametrize("repeat", REPEATS)
def test_the_program_is_killed_at_a_random_moment(home: Home, tmp_path: Path, repeat: int) -> None:
    moment_s = random.Random(repeat).uniform(0.0, 3.0)
    print(f"killed {moment_s:.3f} s after the question")
    with opened(home) as window:
        window.wait_ready()
        chat = window.ask(STORY)
        time.sleep(moment_s)
        engines = home.engines()
        assert engines
        kept = home.chat(chat.id)
        window.process.kill()
        killed = datetime.now(UTC)
        assert kept.end is None, "the answer was over too soon for this test"
        until(lambda: all(map(is_gone, engines)), ORPHAN_S, "no engine is left")
        window.process.wait()

        session = loaded(chat.id)
        asked, answer = session.messages
        assert (asked.message.role, asked.message.content) == (Role.USER, STORY)
        assert answer.status is MessageStatus.INTERRUPTED
        assert answer.message.content.startswith(kept.text)
        if len(kept.deltas) > 1:
            assert killed - home.chat(chat.id).kept_at <= LOST

    assert run("--smoke").json["engine"] == "ready"
    rules = tmp_path / "rules.json"
    rules.write_text('[{"match": "*", "response": "Here I am again."}]')
    said = run("ask", "--model", f"scripted:{rules}", "--session", chat.id, "Are you there?")
    assert (said.code, said.out) == (0, "Here I am again.\n")
    after = loaded(chat.id)
    assert after.notices == ()
    assert [m.message.content for m in after.messages][:2] == [STORY, answer.message.content]
    assert [m.status for m in after.messages[1::2]] == [
        MessageStatus.INTERRUPTED,
        MessageStatus.COMPLETE,
    ]


@pytest.mark.parametrize("repeat", REPEATS)
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP], ids=["kill", "stop"])
def test_the_engine_is_hit_in_mid_answer(home: Home, number: signal.Signals, repeat: int) -> None:
    moment_s = random.Random(repeat).uniform(0.0, 1.0)
    print(f"hit {moment_s:.3f} s after the first words")
    with opened(home) as window:
        window.wait_ready()
        (engine,) = home.engines()
        chat = streaming(window)
        time.sleep(moment_s)
        engine.send_signal(number)
        hit = time.monotonic()
        end = until(lambda: home.chat(chat.id).end, TOLD_S, "the user is told")
        print(f"told after {time.monotonic() - hit:.2f} s: {end['failure']['code']}")
        assert end["status"] == "interrupted"
        assert end["stop_reason"] == "error"
        assert end["failure"]["code"].partition(".")[0] in {"provider", "engine"}
        assert home.chat(chat.id).text

        until(lambda: new_engine(home, engine), ANSWER_S, "the engine comes back")
        assert is_gone(engine)
        window.wait_ready()
        print(f"back after {time.monotonic() - hit:.2f} s")
        window.ask("Say hello.")
        until(lambda: home.chat(chat.id).text, ANSWER_S, "the next answer")
        assert home.chat(chat.id).answer != chat.answer
        assert "SUPERVISOR_RESTART" in home.log()
        window.close()


def streaming(window: Window) -> Chat:
    """A chat whose answer has begun and goes on for a while."""
    chat = window.ask(STORY)
    until(lambda: len(window.home.chat(chat.id).deltas) > 1, ANSWER_S, "the answer streams")
    return chat


def new_engine(home: Home, old: psutil.Process) -> bool:
    """Whether another engine runs than before."""
    return any(engine.pid != old.pid for engine in home.engines())


@pytest.mark.parametrize("repeat", REPEATS)
def test_the_program_is_asked_to_end_in_mid_answer(home: Home, repeat: int) -> None:
    with opened(home) as window:
        window.wait_ready()
        chat = streaming(window)
        time.sleep(random.Random(repeat).uniform(0.0, 1.0))
        family = window.family()
        begun = time.monotonic()
        window.process.terminate()
        said, _ = window.process.communicate(timeout=60)
        assert time.monotonic() - begun <= ENDED_S
        assert window.process.returncode == 0, said
        assert said == ""
        assert [process for process in family if not is_gone(process)] == []
        end = home.chat(chat.id).end
        assert end is not None
        assert (end["status"], end["stop_reason"]) == ("interrupted", "cancelled")
        assert loaded(chat.id).messages[1].message.content == home.chat(chat.id).text
