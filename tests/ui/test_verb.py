"""What tools are called: every known one has a drawing and three forms."""

from __future__ import annotations

from importlib import resources

import pytest

from rony_desktop.ui.chat.block import CallState
from rony_desktop.ui.chat.verb import _VERBS, OTHER, icon_of, verb_of

pytestmark = [pytest.mark.ui, pytest.mark.usefixtures("qapp")]


@pytest.mark.parametrize("tool", [*_VERBS, "nobody_knows"])
def test_every_tool_has_a_drawing(tool: str) -> None:
    assert (resources.files("resources") / "icon" / f"{icon_of(tool)}.svg").is_file()


def test_the_verb_follows_the_state() -> None:
    states = (CallState.WAITING, CallState.RUNNING, CallState.DONE, CallState.FAILED)
    assert [verb_of("edit_file", state) for state in states] == [
        "Edit",
        "Editing",
        "Edited",
        "Edit",
    ]


def test_an_unknown_tool_has_no_words() -> None:
    assert (verb_of("nobody_knows", CallState.DONE), icon_of("nobody_knows")) == ("", OTHER)
