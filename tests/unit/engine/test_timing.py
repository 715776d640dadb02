"""Back-off: 1 s, doubling, at most 30 s, and anew after health."""

from __future__ import annotations

from rony_desktop.engine.timing import BackOff, Timing


def test_health_interval_5_s() -> None:
    assert Timing().interval_s == 5


def test_back_off_1_s_to_30_s_exponential() -> None:
    back_off = BackOff(Timing().back_off_s, Timing().back_off_limit_s)
    assert [back_off.next_s() for _ in range(7)] == [1, 2, 4, 8, 16, 30, 30]


def test_back_off_begins_again_after_reset() -> None:
    back_off = BackOff(1, 30)
    back_off.next_s()
    back_off.next_s()
    back_off.reset()
    assert back_off.next_s() == 1


def test_a_stopped_engine_is_replaced_within_ten_seconds_at_worst() -> None:
    timing = Timing()
    suspect_s = timing.interval_s + timing.check_timeout_s
    again_s = timing.suspect_interval_s + timing.suspect_timeout_s
    assert suspect_s <= 6.6
    assert suspect_s + (timing.failed_checks - 1) * again_s < 8.5
