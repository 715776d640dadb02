from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import jsonschema
import pytest

from rony_desktop.contract.check import ToolScore
from rony_desktop.contract.llm import CompletionResponse, StopReason
from rony_desktop.contract.message import Role, ToolCall
from rony_desktop.model.tool_case import CASES, TOOLS, Case, Outcome, score

GOOD: Mapping[str, Mapping[str, Any] | str] = {
    "argument": {"city": "Lisbon, Portugal"},
    "choice": {"city": "Tokyo"},
    "number": {"minutes": 25},
    "flag": {"room": "bedroom", "on": False},
    "list": {"to": ["Bob", "Ann"], "text": "I am late"},
    "answer": "Goodbye!",
    "result": "It is 17 degrees.",
    "next": {"city": "Oslo"},
}
BY_NAME = {case.name: case for case in CASES}


def called(name: str, arguments: object, stop: StopReason = StopReason.TOOL_USE) -> Any:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return CompletionResponse("", "", (ToolCall("c", name, text),), stop_reason=stop)


def said(text: str, **more: Any) -> CompletionResponse:
    return CompletionResponse("", text, **more)


def test_there_are_eight_cases_with_what_is_right_in_each() -> None:
    assert list(BY_NAME) == list(GOOD)
    assert len(CASES) == 8


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_right_reply_is_right(case: Case) -> None:
    good = GOOD[case.name]
    response = said(good) if isinstance(good, str) else called(case.tool, good)
    assert case.outcome(response) is Outcome.RIGHT


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_readable_reply_that_was_not_asked_for_is_wrong(case: Case) -> None:
    response = called("set_timer", {"minutes": 3})
    assert case.outcome(response) is Outcome.WRONG
    if case.tool:
        assert case.outcome(said("I will look.")) is Outcome.WRONG


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_reply_of_no_use_is_broken(case: Case) -> None:
    for response in (
        said(""),
        said("{", problem="it is no JSON"),
        called("no_such_tool", {}),
        called("get_time", "{city}"),
        called("get_time", "[1]"),
        called("get_time", {"city": "Tokyo"}, StopReason.MAX_TOKENS),
    ):
        assert case.outcome(response) is Outcome.BROKEN


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("get_time", {}),
        ("get_time", {"city": "Tokyo", "zone": 9}),
        ("get_time", {"city": 3}),
        ("set_timer", {"minutes": "25"}),
        ("set_timer", {"minutes": True}),
        ("set_light", {"room": "cellar", "on": True}),
        ("set_light", {"room": "office", "on": "off"}),
        ("send_message", {"to": "Ann", "text": "hi"}),
        ("send_message", {"to": [1], "text": "hi"}),
    ],
)
def test_arguments_count_where_the_schema_takes_them(
    name: str, arguments: Mapping[str, Any]
) -> None:
    (schema,) = (tool.parameters for tool in TOOLS if tool.name == name)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(arguments, schema)
    assert BY_NAME["argument"].outcome(called(name, arguments)) is Outcome.BROKEN


def test_an_answer_may_be_cut_and_a_call_may_not() -> None:
    cut = said("It is 17 degrees and", stop_reason=StopReason.MAX_TOKENS)
    assert BY_NAME["result"].outcome(cut) is Outcome.RIGHT
    assert BY_NAME["argument"].outcome(cut) is Outcome.BROKEN


def test_more_calls_than_asked_for_are_right_where_one_of_them_is() -> None:
    first, second = called("get_weather", {"city": "Lisbon"}), called("get_weather", GOOD["next"])
    both = said("", tool_calls=(*first.tool_calls, *second.tool_calls))
    assert BY_NAME["next"].outcome(both) is Outcome.RIGHT


def test_an_answer_without_the_result_is_wrong() -> None:
    assert BY_NAME["result"].outcome(said("It is warm.")) is Outcome.WRONG


def test_every_result_answers_a_call_that_fits() -> None:
    for case in CASES:
        calls = {call.id: call for message in case.messages for call in message.tool_calls}
        results = [message for message in case.messages if message.role is Role.TOOL]
        assert {result.tool_call_id for result in results} == set(calls)


def test_a_score_counts_what_is_right_and_what_is_readable() -> None:
    outcomes = [Outcome.RIGHT, Outcome.WRONG, Outcome.BROKEN, Outcome.RIGHT]
    assert score(outcomes) == ToolScore(right=2, readable=3, tried=4)
