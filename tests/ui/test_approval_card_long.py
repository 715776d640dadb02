"""The card over what is long: read to its end before Allow, and the window goes on working."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLabel, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.contract.approval import ApprovalRequest, AskReason, FileChange, Hunk
from rony_desktop.contract.message import ToolCall
from rony_desktop.ui.approval.card import ApprovalCard
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
STALL_S = 0.25  # of processor time; measured: 0.06
CHANGE = FileChange("docs/plan.md", "before", "after")
ASK = ApprovalRequest(
    "s", ToolCall("1", "write_file", "{}"), AskReason.CHANGES, "/f", "walk", "d", CHANGE
)
RUN = replace(ASK, call=ToolCall("2", "shell", "{}"), change=None)


@pytest.fixture
def card(theme: Theme, qtbot: QtBot) -> Iterator[ApprovalCard]:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(760, 700)
    card = ApprovalCard(theme, window)
    card.resize(760, 500)
    window.show()
    qtbot.waitExposed(window)
    # The collector would look through what every earlier test left, in the middle of a measurement.
    gc.collect()
    gc.disable()
    yield card
    gc.enable()
    assert window.windowTitle() == ""  # it lived until here


def test_long_arguments_are_read_to_the_end_before_allow(
    card: ApprovalCard, qtbot: QtBot, child: Find
) -> None:
    command = '{"command": "' + "echo hello; " * 4_200 + 'rm -rf ~"}'
    card.show_request(replace(RUN, call=ToolCall("3", "shell", command)))
    text = child(card, QPlainTextEdit, "approval_text")
    allow = child(card, QPushButton, "approval_allow")
    qtbot.waitUntil(lambda: text.toPlainText().endswith('rm -rf ~"}'))
    qtbot.waitUntil(lambda: card._guard.armed)
    text.viewport().repaint()
    assert not allow.isEnabled()
    assert child(card, QLabel, "approval_hint").text() == "Scroll to the end to allow."
    assert f"{len(command):,} characters" in child(card, QPushButton, "approval_fold").text()
    assert text.toPlainText().replace("\n", "") == command
    text.verticalScrollBar().setValue(text.verticalScrollBar().maximum() // 2)
    text.viewport().repaint()
    assert not allow.isEnabled()
    qtbot.keyClick(text, Qt.Key.Key_End)
    qtbot.waitUntil(allow.isEnabled)
    assert child(card, QLabel, "approval_hint").text() == ""
    qtbot.keyClick(text, Qt.Key.Key_Home)
    assert allow.isEnabled()


def test_a_long_diff_is_read_to_the_end_before_allow(
    card: ApprovalCard, qtbot: QtBot, child: Find
) -> None:
    lines = tuple(f"line {number}\n" for number in range(300))
    card.show_request(replace(ASK, change=replace(CHANGE, hunks=(Hunk(0, (), lines),))))
    diff, allow = child(card, QWidget, "approval_diff"), child(card, QPushButton, "approval_allow")
    diff.viewport().repaint()
    assert not allow.isEnabled()
    qtbot.keyClick(diff, Qt.Key.Key_End)
    qtbot.waitUntil(allow.isEnabled)


def test_very_many_hunks_are_taken_together(card: ApprovalCard, qtbot: QtBot, child: Find) -> None:
    hunks = tuple(Hunk(number * 2, (), ("x\n",)) for number in range(5_000))
    card.show_request(replace(ASK, change=replace(CHANGE, hunks=hunks)))
    assert child(card, QLabel, "approval_many").text().startswith("5,000 changes")
    assert card.findChild(QCheckBox, "hunk_0") is None


@pytest.mark.parametrize("size", ["argument", "diff", "line", "invisible"])
def test_two_megabytes_do_not_stall_the_window(card: ApprovalCard, qtbot: QtBot, size: str) -> None:
    lines = tuple(f"line number {number} of a long file\n" for number in range(20_000))
    request = {
        "argument": replace(RUN, call=ToolCall("9", "shell", "x" * 2_000_000)),
        "invisible": replace(RUN, call=ToolCall("9", "shell", "\u202e" * 300_000)),
        "diff": replace(ASK, change=replace(CHANGE, hunks=(Hunk(0, lines, lines),))),
        "line": replace(ASK, change=replace(CHANGE, hunks=(Hunk(0, (), ("x" * 2_000_000,)),))),
    }[size]
    watch = Watch()
    watch.measure(lambda: card.show_request(request))
    feeding = (card._text._feeding, card._diff._canvas._feeding)
    while any(timer.isActive() for timer in feeding):
        watch.measure(lambda: QTest.qWait(0))
    assert watch.longest < STALL_S


class Watch:
    """Processor time of each step, in seconds: the machine may have other work."""

    def __init__(self) -> None:
        self.times: list[float] = []

    @property
    def longest(self) -> float:
        return max(self.times)

    def measure(self, step: Callable[[], object]) -> None:
        before = time.thread_time()
        step()
        self.times.append(time.thread_time() - before)
