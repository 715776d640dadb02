from __future__ import annotations

import pytest

from rony_desktop.contract.check import ToolMode, ToolScore
from rony_desktop.model.tool_mode import chosen, good


def score(right: int, readable: int = 8) -> ToolScore:
    return ToolScore(right, readable, 8)


@pytest.mark.parametrize(
    ("native", "envelope", "mode"),
    [
        (score(6), None, ToolMode.NATIVE),
        (score(6), score(8), ToolMode.NATIVE),
        (score(5), score(5), ToolMode.NATIVE),
        (score(5), score(6), ToolMode.ENVELOPE),
        # A model that never calls is right where no call is wanted.
        (score(2), score(1), ToolMode.ENVELOPE),
        (None, score(0, 4), ToolMode.ENVELOPE),
        (None, score(0, 3), ToolMode.NONE),
        (score(3), score(0, 3), ToolMode.NONE),
        (score(4), score(3, 3), ToolMode.NATIVE),
        (None, None, ToolMode.NONE),
    ],
)
def test_the_form_follows_from_the_scores(
    native: ToolScore | None, envelope: ToolScore | None, mode: ToolMode
) -> None:
    assert chosen(native, envelope) is mode


def test_the_envelope_need_not_be_tried_where_native_is_good() -> None:
    assert good(score(6))
    assert not good(score(5))
    assert not good(None)
    assert not good(ToolScore(0, 0, 0))
