"""What a model may throw at the window: each ends as it should, and the window stays awake."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QElapsedTimer, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton

from rony_desktop.contract.llm import StopReason
from tests.fixture.model_server import ModelServer, start_server

# Not among the fast tests, which run side by side: it measures how long the window sleeps.
pytestmark = [pytest.mark.ui, pytest.mark.x11]
Find = Callable[..., Any]
Start = Callable[..., AbstractAsyncContextManager[Any]]

# On a quiet machine no gap is above 100 ms; this one lets a loaded machine pass.
ASLEEP_MS = 400
DONE = {"text": "All done."}
BIG = 2_000_000


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with start_server("--n-ctx", "500000") as running:
        yield running


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "notes.txt").write_text("one\ntwo\n")
    return folder


@dataclass
class Awake:
    """The longest time in which the window could do nothing, in milliseconds."""

    gaps: list[int] = field(default_factory=list)

    @property
    def longest(self) -> int:
        return max(self.gaps)


@contextmanager
def awake(record: Callable[[str, object], None]) -> Iterator[Awake]:
    """Tick every 10 ms for a block; fails where the window was asleep in it."""
    found, clock, timer = Awake(), QElapsedTimer(), QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(lambda: found.gaps.append(clock.restart()))
    clock.start()
    timer.start(10)
    try:
        yield found
    finally:
        found.gaps.append(clock.restart())
        timer.stop()
    record("longest_gap_ms", found.longest)
    print(f"longest gap {found.longest} ms")
    assert found.longest <= ASLEEP_MS


def calling(*calls: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    """A reply that asks for tools."""
    made = [
        {"id": f"c{number}", "name": name, "arguments": json.dumps(arguments)}
        for number, (name, arguments) in enumerate(calls)
    ]
    return {"text": "", "tool_calls": made, "finish": "tool_calls", "piece": 4096}


# By case: what the model answers, in turn, why the turn ends, what the model is told of each call.
ENDINGS: dict[str, tuple[list[Any], StopReason, list[str]]] = {
    "300 calls": (["many-tools", DONE], StopReason.END_TURN, ["no such file"] * 300),
    "2 MB of arguments": (
        [calling(("write_file", {"content": "x" * BIG})), DONE],
        StopReason.END_TURN,
        ["path"],
    ),
    "one id for all": (
        ["same-ids", DONE],
        StopReason.END_TURN,
        ["from", "tool not found: 'list_dir'", "from"],
    ),
    "unknown tools": (
        [calling(("rm", {"all": True}), ("x" * 5000, {})), DONE],
        StopReason.END_TURN,
        ["tool not found: 'rm'", "tool not found: 'xxx"],
    ),
    "wrong types": (
        [calling(("read_file", {"path": 5}), ("read_file", {"path": ["a"]})), DONE],
        StopReason.END_TURN,
        ["path", "path"],
    ),
    "an endless string": (["endless-tool"], StopReason.MAX_OUTPUT_RECOVERY_EXHAUSTED, ["cut off"]),
    "a call cut off": (["cut-tool"], StopReason.MAX_OUTPUT_RECOVERY_EXHAUSTED, ["cut off"]),
    "never JSON": (["bad-tool"] * 9, StopReason.PARSE_ERRORS, ["JSON"] * 5),
    "the same for ever": (["tool"] * 9, StopReason.REPEATED_CALL, ["", "", "", ""]),
}


@pytest.mark.parametrize("case", ENDINGS)
async def test_it_ends_as_it_should_and_the_window_stays_awake(
    start: Start,
    server: ModelServer,
    work: Path,
    record_property: Callable[[str, object], None],
    case: str,
) -> None:
    script, reason, told = ENDINGS[case]
    server.script(*script)
    async with start(server, work) as program:
        with awake(record_property):
            await program.ask(case)
        assert program.shell.last.stop_reason is reason
        session = await program.app.chat.open(program.shell.chat.session)
        assert session.unanswered == ()
        calls = [call.id for m in session.messages for call in m.message.tool_calls]
        results = [m.message for m in session.messages if m.message.tool_result]
        assert [result.tool_call_id for result in results] == calls
        assert len(set(calls)) == len(calls)
        assert len(results) == len(told), [result.content[:200] for result in results]
        for result, words in zip(results, told, strict=True):
            assert words in result.content
            assert len(result.content) < 7000
        assert program.failures == []
        with awake(record_property):
            server.script(DONE)
            await program.ask("Are you still there?")
        assert program.window.chat.transcript.plain_text().endswith("All done.")


@pytest.mark.parametrize("shape", ["lines", "one line"])
async def test_a_file_of_2_mb_is_asked_about_and_written(
    start: Start,
    child: Find,
    server: ModelServer,
    work: Path,
    record_property: Callable[[str, object], None],
    shape: str,
) -> None:
    content = ("word " * 15 + "\n") * (BIG // 76) if shape == "lines" else "x" * BIG
    server.script(calling(("write_file", {"path": "big.txt", "content": content})), DONE)
    async with start(server, work) as program:
        card = program.shell.desk.view.card
        with awake(record_property):
            program.window.chat.sendRequested.emit("Write it")
            await program.until(card.isVisible)
            diff, allow = card._diff, child(card, QPushButton, "approval_allow")
            hint = child(card, QLabel, "approval_hint")
            await program.until(lambda: card._guard.armed and hint.text())
            assert (allow.isEnabled(), hint.text()) == (False, "Scroll to the end to allow.")
            assert not child(card, QPlainTextEdit, "approval_text").isVisible()

            def at_the_end() -> bool:
                QTest.keyClick(diff, Qt.Key.Key_End)
                return bool(allow.isEnabled())

            await program.until(at_the_end)
            QTest.mouseClick(allow, Qt.MouseButton.LeftButton)
            await program.until(lambda: program.shell.last)
        assert (work / "big.txt").read_text() == content
        assert program.failures == []
