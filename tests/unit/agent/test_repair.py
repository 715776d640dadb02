"""Observations are short, name the error and the right form."""

from __future__ import annotations

import pytest

from rony_desktop.agent import repair
from rony_desktop.contract.error import ToolReplyError
from rony_desktop.contract.llm import StopReason


@pytest.mark.parametrize("length", [10, 200, 5_000])
def test_an_observation_has_at_most_400_characters(length: int) -> None:
    problem = repair.reason(ToolReplyError(detail="x" * length))
    for text in (repair.reply(problem), repair.arguments("n" * length, problem)):
        assert len(text) <= 400
        assert "JSON object" in text
        assert "x" * min(length, 150) in text


def test_what_is_longer_ends_in_a_mark() -> None:
    assert repair.observation("y" * 400) == "y" * 400
    assert repair.observation("y" * 401) == "y" * 399 + "…"


def test_the_form_and_the_tool_are_named() -> None:
    assert '{"final": TEXT}' in repair.reply("it is prose")
    assert repair.arguments("read_file", "why").startswith("read_file was not run: its arguments")


@pytest.mark.parametrize("ending", [*StopReason, None])
def test_a_call_that_was_not_run_says_so(ending: StopReason | None) -> None:
    assert repair.not_run(ending).startswith("Not run: ")


def test_a_repeated_call_is_warned_of_and_answered() -> None:
    text = repair.repeated("a wall")
    assert text.startswith("This very call was already made")
    assert text.endswith("\na wall")
