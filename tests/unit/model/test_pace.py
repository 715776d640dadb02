from __future__ import annotations

from rony_desktop.model.pace import Pace


def test_the_speed_is_that_of_the_last_seconds() -> None:
    pace = Pace()
    assert pace.per_s() is None
    pace.take(0, 0)
    assert pace.per_s() is None
    for second in range(1, 11):
        pace.take(second, 100 * second)
    assert pace.per_s() == 100
    for second in range(11, 21):
        pace.take(second, 1000 + 10 * (second - 10))
    assert pace.per_s() == 10


def test_a_break_and_a_new_beginning_do_not_count() -> None:
    pace = Pace()
    pace.take(0, 5000)
    pace.take(1, 0)
    pace.take(2, 300)
    assert pace.per_s() == 300
    pace.clear()
    assert pace.per_s() is None
