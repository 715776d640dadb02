"""Which buttons the pieces have: their place, their name, what they show."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect

from rony_desktop.ui.card import ErrorText
from rony_desktop.ui.chat.block import ShownCall, ShownMessage, ShownStatus
from rony_desktop.ui.chat.column import Placed
from rony_desktop.ui.chat.control import call_tip, control
from rony_desktop.ui.chat.item import Item
from rony_desktop.ui.chat.overlay import Control, ControlKind
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
BOX = QRect(100, 50, 700, 80)
ERROR = ErrorText("Cause.", button="Try again", action="retry")
CALL = ShownCall("c", "read_file", "file-text", "Read", "<b>a.md</b>", "1 ms", result="text")


def controls(theme: Theme, message: ShownMessage, *, folded: bool = True) -> list[Control]:
    item = Item(message)
    item.folded = folded
    item.prepare(700)
    placed = [Placed(0, number, item, piece, 0.0) for number, piece in enumerate(item.pieces)]
    return [one for one in (control(theme, place, BOX) for place in placed) if one]


@pytest.mark.parametrize(
    ("message", "kinds", "names"),
    [
        (ShownMessage("u", "user", "x"), [], []),
        (
            ShownMessage("a", "assistant", "```\nx\n```"),
            [ControlKind.COPY_CODE, ControlKind.COPY_MESSAGE],
            ["Copy code", "Copy this answer"],
        ),
        (ShownMessage("a", "assistant", "", error=ERROR), [ControlKind.ERROR], ["Try again"]),
        (ShownMessage("a", "assistant", "", "hm"), [ControlKind.FOLD], ["Reasoning"]),
        (ShownMessage("c", "tool", call=CALL), [ControlKind.CALL], ["Read <b>a.md</b> · 1 ms"]),
        (ShownMessage("c", "tool", call=ShownCall("c", "x", "wrench", "Read")), [], []),
        (ShownMessage("a", "assistant", "x", bare=True), [], []),
    ],
)
def test_each_look_has_its_button(
    theme: Theme, message: ShownMessage, kinds: list[ControlKind], names: list[str]
) -> None:
    found = controls(theme, message)
    assert [one.kind for one in found] == kinds
    assert [one.name for one in found] == names
    # A button may reach a few pixels into the margin, so that its words stand in the column.
    assert all(BOX.adjusted(-6, 0, 0, 0).contains(one.place) for one in found)


def test_reasoning_that_streams_is_thinking(theme: Theme) -> None:
    live = ShownMessage("a", "assistant", "", "hm", status=ShownStatus.STREAMING)
    assert [one.text for one in controls(theme, live)] == ["Thinking"]


def test_an_open_call_has_its_result_to_copy(theme: Theme) -> None:
    line, copy = controls(theme, ShownMessage("c", "tool", call=CALL), folded=False)
    assert (line.icon, copy.name) == ("chevron-down", "Copy this result")
    assert line.name == "Read <b>a.md</b> · 1 ms, opened"
    (folded,) = controls(theme, ShownMessage("c", "tool", call=CALL))
    assert folded.icon == "chevron-right"
    waiting = ShownCall("c", "x", "wrench", "Run", arguments="[1]")
    _, copy = controls(theme, ShownMessage("c", "tool", call=waiting), folded=False)
    assert copy.name == "Copy these arguments"


def test_the_tip_of_a_call_is_never_read_as_html(theme: Theme) -> None:
    (line,) = controls(theme, ShownMessage("c", "tool", call=CALL))
    assert "&lt;b&gt;a.md&lt;/b&gt;" in line.tip
    other = Item(ShownMessage("a", "assistant", "x"))
    other.prepare(700)
    assert call_tip(Placed(0, 0, other, other.pieces[0], 0.0)) == ""
