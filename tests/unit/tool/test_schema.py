from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator, SchemaError

from rony_desktop.contract.error import ToolArgumentsError
from rony_desktop.contract.message import ToolCall, ToolResult
from rony_desktop.contract.tool_spec import ToolSpec
from rony_desktop.tool.schema import LARGEST, arguments_of, check, fault

PARAMETERS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "limit": {"type": "integer", "minimum": 1},
        "mode": {"enum": ["a", "b"]},
        "items": {
            "type": "array",
            "items": {"type": "object", "properties": {"n": {"type": ["string", "null"]}}},
        },
    },
    "required": ["path"],
    "additionalProperties": False,
}


async def nothing(*_: object) -> ToolResult:
    return ToolResult("")


def tool(parameters: dict[str, Any] = PARAMETERS, name: str = "read") -> ToolSpec:
    return ToolSpec(name, "", parameters, nothing)


def read(text: str, name: str = "read") -> Any:
    return arguments_of(ToolCall("1", name, text))


def refusal(text: str, spec: ToolSpec | None = None) -> str:
    with pytest.raises(ToolArgumentsError) as caught:
        check(spec or tool(), read(text))
    assert len(str(caught.value)) <= 400
    assert caught.value.params["name"] == "read"
    return caught.value.params["detail"]


@given(
    st.dictionaries(
        st.text(st.characters(codec="utf-8")),
        st.recursive(
            st.none()
            | st.booleans()
            | st.integers(-(2**64), 2**64)
            | st.floats(allow_nan=False, allow_infinity=False)
            | st.text(st.characters(codec="utf-8")),
            lambda inner: st.lists(inner, max_size=3),
            max_leaves=6,
        ),
        max_size=4,
    )
)
def test_objects_are_read_as_they_are(value: dict[str, Any]) -> None:
    assert read(json.dumps(value)) == value
    assert read(f" {json.dumps(value, ensure_ascii=False)}\n") == value


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ('{"a": 1} x', "not JSON"),
        ("{'a': 1}", "not JSON"),
        ('```json\n{"a": 1}\n```', "not JSON"),
        ('{"a": 1,}', "not JSON"),
        ("[1, 2]", "a list of 2"),
        ('"text"', '"text"'),
        ("null", "null"),
        ('{"a": 1, "a": 2}', "'a' is given twice"),
        ('{"x": {"b": 1, "c": 0, "b": 2}}', "'b' is given twice"),
        ('{"a": NaN}', "NaN"),
        ('{"a": -Infinity}', "-Infinity"),
        ('{"a": 1e999}', "too large"),
        (f'{{"a": {"9" * 5000}}}', "5000 digits"),
        (r'{"a": "\ud800"}', "surrogate"),
        (r'{"\udc00": 1}', "surrogate"),
        ('{"a": "\ud800"}', "surrogate"),
        ("[" * 200_000, "deeply"),
        ('{"a":' * 100_000 + "1" + "}" * 100_000, "deeply"),
        ('{"a": "' + "x" * LARGEST + '"}', "characters"),
        (f'{{"{"k" * 5000}": 1, "{"k" * 5000}": 2}}', "given twice"),
    ],
)
def test_what_is_no_strict_object_is_refused_in_short(text: str, says: str) -> None:
    assert says in refusal(text)


def test_a_surrogate_pair_is_one_character() -> None:
    assert read(r'{"a": "\ud83d\ude00"}') == {"a": "😀"}


def test_two_megabytes_of_one_argument_are_read() -> None:
    text = json.dumps({"path": "x" * 2_000_000})
    check(tool(), read(text))


@pytest.mark.parametrize(
    ("arguments", "detail"),
    [
        ({}, "'path' must be given"),
        ({"path": 5}, "'path': must be string, given was 5"),
        ({"path": None}, "'path': must be string, given was null"),
        ({"path": ["a"]}, "'path': must be string, given was a list of 1"),
        ({"path": {"a": 1}}, "'path': must be string, given was an object"),
        (
            {"path": "p", "limit": "5"},
            "'limit': must be integer, given was \"5\"",
        ),
        (
            {"path": "p", "limit": True},
            "'limit': must be integer, given was true",
        ),
        ({"path": "p", "limit": 0}, "'limit': must have minimum 1, given was 0"),
        ({"path": "p", "mode": "c"}, "'mode': must be one of 'a', 'b', given was \"c\""),
        (
            {"path": "p", "file": 1, "x": 2},
            "unknown 'file', 'x'; known are 'path', 'limit', 'mode', 'items'",
        ),
        (
            {"path": "p", "items": [{}, {"n": 4}]},
            "'items[1].n': must be string or null, given was 4",
        ),
    ],
)
def test_errors_name_the_argument_what_was_given_and_what_is_expected(
    arguments: dict[str, Any], detail: str
) -> None:
    assert refusal(json.dumps(arguments)) == detail


def test_at_most_three_problems_and_each_once() -> None:
    many = {f"p{i}": {"type": "string"} for i in range(9)}
    spec = tool({"type": "object", "properties": many, "required": sorted(many)})
    assert refusal("{}", spec).count("must be given") == 1
    wrong = json.dumps(dict.fromkeys(many, 1))
    assert refusal(wrong, spec).count("must be string") == 3


def test_long_values_names_and_lists_stay_short() -> None:
    spec = tool({"type": "object", "additionalProperties": False})
    assert refusal(json.dumps({f"{i}" + "x" * 900: 1 for i in range(500)}), spec)
    assert refusal(json.dumps({"path": 1, "mode": "x" * 2_000_000}))
    assert "known are none" in refusal('{"a": 1}', spec)
    for error in ({"path": 10**250}, {"path": "p", "limit": 0.5}):
        assert refusal(json.dumps(error))


def test_the_call_of_a_long_name_is_refused_in_short() -> None:
    with pytest.raises(ToolArgumentsError) as caught:
        read("[]", "n" * 9_000)
    assert len(str(caught.value)) <= 400


def test_deep_arguments_of_a_recursive_schema_are_refused() -> None:
    spec = tool({"type": "object", "properties": {"a": {"$ref": "#"}}})
    assert "deeply" in refusal('{"a":' * 900 + "{}" + "}" * 900, spec)


def test_a_schema_that_points_elsewhere_is_never_fetched() -> None:
    # The guard of every test fails it where anything is looked up.
    spec = tool({"type": "object", "$ref": "http://schema.invalid/x.json"})
    assert "points to what is not there" in refusal("{}", spec)


def test_the_draft_is_the_schemas_own() -> None:
    # "dependencies" counts in draft-07, and is no rule any more in 2020-12.
    rule = {"type": "object", "dependencies": {"a": ["b"]}}
    old = tool({"$schema": "http://json-schema.org/draft-07/schema#", **rule}, "read")
    assert "dependencies" in refusal('{"a": 1}', old)
    check(tool(rule, "read"), {"a": 1})


def test_a_tool_that_was_replaced_is_held_against_its_new_schema() -> None:
    check(tool({"type": "object"}), {"x": 1})
    assert refusal('{"x": 1}', tool())
    check(tool({"type": "object"}), {"x": 1})


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({}, "type None"),
        ({"type": "string"}, "type 'string'"),
        ({"type": "objec"}, "no JSON Schema"),
        ({"type": "object", "properties": 3}, "no JSON Schema"),
        ({"type": "object", "required": "path"}, "no JSON Schema"),
        ({"type": "object", "properties": {"x": {"pattern": "("}}}, "no JSON Schema"),
        ({"type": "object", "default": {1, 2}}, "no JSON"),
    ],
)
def test_faults_of_schemas(parameters: dict[str, Any], says: str) -> None:
    assert says in fault(parameters)


def flat(**changes: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"a": {"type": "string", "description": "x"}, "b": {"type": "integer"}},
        "required": ["a"],
        "additionalProperties": False,
        **changes,
    }


@pytest.mark.parametrize(
    "parameters",
    [
        flat(),
        flat(required=[]),
        flat(required=["a", "a"]),
        flat(required=[1]),
        flat(properties={"a": {"type": "text"}}),
        flat(properties={"a": {"type": "string", "description": 3}}),
        flat(properties={"a": {"type": "string", "minLength": "x"}}),
        flat(properties={"a": 3}),
        flat(minProperties="x"),
    ],
)
def test_the_quick_look_agrees_with_the_library(parameters: dict[str, Any]) -> None:
    try:
        Draft202012Validator.check_schema(parameters)
        right = True
    except SchemaError:
        right = False
    assert (fault(parameters) == "") == right


def test_registering_flat_tools_imports_no_library() -> None:
    code = (
        "import sys; from rony_desktop.tool.schema import fault;"
        f"assert fault({flat()!r}) == ''; assert 'jsonschema' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
