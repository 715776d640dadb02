"""The frame gate: first at once, then once per frame, never while it is shut."""

import pytest
from pytestqt.qtbot import QtBot

from rony_desktop.ui.chat.gate import FrameGate

pytestmark = pytest.mark.ui


@pytest.fixture
def gate(qtbot: QtBot) -> FrameGate:
    gate = FrameGate()
    gate.count = 0  # type: ignore[attr-defined]

    def add() -> None:
        gate.count += 1  # type: ignore[attr-defined]

    gate.due.connect(add)
    return gate


def test_the_first_request_is_answered_at_once(gate: FrameGate) -> None:
    gate.request()
    assert gate.count == 1


def test_many_requests_are_one_update(gate: FrameGate, qtbot: QtBot) -> None:
    gate.request()
    with qtbot.waitSignal(gate.due, timeout=1000):
        for _ in range(100):
            gate.request()
        assert gate.count == 1
    assert gate.count == 2


def test_nothing_runs_while_nothing_is_asked(gate: FrameGate) -> None:
    gate.request()
    gate.flush()
    assert gate.count == 1
    assert not gate._timer.isActive()


def test_a_shut_gate_keeps_the_request(gate: FrameGate) -> None:
    gate.set_open(False)
    gate.request()
    assert gate.count == 0
    gate.set_open(True)
    assert gate.count == 1
