from __future__ import annotations

import json

import pytest

from rony_desktop.contract.check import Part, Shape, ShapeCheck
from rony_desktop.contract.message import Role
from rony_desktop.model.shape import CONVERSATIONS, Conversation, failed, rendered


def prompt(conversation: Conversation, without: str = "") -> str:
    """Everything that is said, but for messages and tools with this word."""
    said = [*conversation.messages, *conversation.tools]
    return "\n".join(text for each in said if without not in (text := repr(each)) or not without)


def by(shape: Shape) -> Conversation:
    return next(each for each in CONVERSATIONS if each.shape is shape)


def test_every_shape_is_tried_once() -> None:
    assert [each.shape for each in CONVERSATIONS] == list(Shape)


@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=lambda each: each.shape)
def test_a_prompt_with_everything_works(conversation: Conversation) -> None:
    assert rendered(conversation, prompt(conversation)) == ShapeCheck(conversation.shape)


@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=lambda each: each.shape)
def test_an_empty_prompt_drops_every_part(conversation: Conversation) -> None:
    assert rendered(conversation, "").dropped == conversation.parts


def test_what_is_left_out_is_named() -> None:
    turns = by(Shape.TURNS)
    last = turns.messages[-1]
    assert last.role is Role.USER
    assert rendered(turns, prompt(turns, last.content)).dropped == (Part.LAST,)
    assert rendered(turns, prompt(turns, turns.messages[0].content)).dropped == (Part.SYSTEM,)


def test_a_call_counts_by_its_arguments_and_a_tool_by_its_name() -> None:
    result = by(Shape.RESULT)
    (call,) = result.messages[2].tool_calls
    (word,) = json.loads(call.arguments).values()
    whole = prompt(result)
    assert rendered(result, whole.replace(word, "")).dropped == (Part.CALL,)
    assert rendered(result, whole.replace(call.name, "")).dropped == (Part.TOOL,)


def test_a_result_answers_the_call_before_it() -> None:
    *_, asked, answered = by(Shape.RESULT).messages
    assert answered.tool_call_id == asked.tool_calls[0].id


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("... ^ Error: Jinja Exception: roles must alternate", "roles must alternate"),
        ("Failed to parse tools", "Failed to parse tools"),
        ("", "?"),
    ],
)
def test_a_failure_is_told_in_the_templates_words(words: str, shown: str) -> None:
    check = failed(by(Shape.SYSTEM), words)
    assert (check.shape, check.words, check.works) == (Shape.SYSTEM, shown, False)
