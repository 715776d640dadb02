from __future__ import annotations

import threading

import pytest

from rony_desktop.contract.halt import Halt, Halted


def test_nothing_happens_until_it_is_asked() -> None:
    halt = Halt()
    halt.check()
    halt.wait(0)
    halt.stop()
    with pytest.raises(Halted):
        halt.check()


def test_a_wait_ends_at_once_when_it_is_asked() -> None:
    halt = Halt()
    ended: list[bool] = []

    def work() -> None:
        with pytest.raises(Halted):
            halt.wait(60)
        ended.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    halt.stop()
    thread.join(5)
    assert ended == [True]


def test_what_waits_elsewhere_is_told_while_it_waits() -> None:
    halt, told = Halt(), []
    with halt.telling(lambda: told.append("inner")):
        pass
    with halt.telling(lambda: told.append("outer")):
        halt.stop()
    assert told == ["outer"]
    with pytest.raises(Halted), halt.telling(lambda: told.append("late")):
        pass
    assert told == ["outer"]
