"""A forming call is told by time or by characters, and no oftener."""

from __future__ import annotations

from rony_desktop.agent.forming import EVERY_CHARACTERS, EVERY_S, Forming
from rony_desktop.contract.event import CallForming


def test_the_first_is_told_at_once_then_by_time_or_size() -> None:
    now = [0.0]
    forming = Forming(lambda: now[0])
    assert forming.event("look", 0) == CallForming("look", 0)
    assert forming.event("look", EVERY_CHARACTERS - 1) is None
    assert forming.event("look", EVERY_CHARACTERS) == CallForming("look", EVERY_CHARACTERS)
    now[0] = EVERY_S
    assert forming.event("other", 3) == CallForming("other", 3)
    assert forming.event("third", 3) is None


def test_a_fast_stream_is_thinned_out() -> None:
    forming = Forming(lambda: 0.0)
    told = [event for n in range(100_000) if (event := forming.event("look", n))]
    assert len(told) == 100_000 // EVERY_CHARACTERS
