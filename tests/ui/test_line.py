"""The line of a call: everything where there is room, and what gives way where there is none."""

from __future__ import annotations

import pytest

from rony_desktop.ui.chat.block import ShownCall
from rony_desktop.ui.chat.line import LEFT, CallLine, call_line
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
WIDTH = 400
LONG = "a/" * 100 + "end.md"


def line(theme: Theme, verb: str, about: str, note: str = "", duration: str = "") -> CallLine:
    call = ShownCall("c", "x", "wrench", verb, about, duration, note=note)
    found = call_line(theme, call, WIDTH)
    assert found.right <= WIDTH - LEFT + 2
    assert found.verb.left == LEFT
    assert found.verb.right <= found.object.left <= found.object.right <= found.note.left
    return found


def test_what_fits_is_whole(theme: Theme) -> None:
    found = line(theme, "Read", "notes.md", "waiting for you", "12 ms")
    assert (found.verb.text, found.object.text) == ("Read", "notes.md")
    assert found.note.text == "· 12 ms · waiting for you"


def test_a_long_object_loses_its_middle_and_the_rest_stays(theme: Theme) -> None:
    found = line(theme, "Read", LONG, duration="12 ms")
    assert "…" in found.object.text
    assert found.object.text.endswith("end.md")
    assert found.note.text == "· 12 ms"


def test_a_long_note_loses_its_end_before_a_short_object_does(theme: Theme) -> None:
    found = line(theme, "Read", "notes.md", "there is no such file " * 9)
    assert found.object.text == "notes.md"
    assert found.note.text.startswith("· there is no")
    assert found.note.text.endswith("…")


def test_where_everything_is_long_each_keeps_a_part(theme: Theme) -> None:
    found = line(theme, "some_tool_of_a_long_name_" * 3, LONG, "reason " * 30)
    assert all(len(word.text) > 4 for word in (found.verb, found.object, found.note))


def test_without_object_and_note_the_verb_ends_the_line(theme: Theme) -> None:
    found = line(theme, "List files", "")
    assert found.right == found.verb.right
