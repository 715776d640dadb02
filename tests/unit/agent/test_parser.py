"""Strict at the end of a reply, streaming on its way there; nothing is guessed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st

from rony_desktop.agent.parser import (
    HEAD_LIMIT,
    THREAD_ABOVE,
    Final,
    ReplyReader,
    aside,
    canonical,
    parse_object,
    parse_tool_call,
)
from rony_desktop.contract.error import ToolReplyError
from rony_desktop.contract.message import ToolCall

DEEP = '{"a":' * 100_000


def refusal(text: str) -> str:
    with pytest.raises(ToolReplyError) as caught:
        parse_tool_call(text)
    return caught.value.params["detail"]


def test_parse_tool_call_reads_a_call_or_a_final_answer() -> None:
    call = parse_tool_call(' {"tool": "read_file", "args": {"path": "ü.txt"}}\n')
    assert isinstance(call, ToolCall)
    assert (call.name, call.arguments) == ("read_file", '{"path": "ü.txt"}')
    assert call.id
    assert parse_tool_call('{"final": "Hi \\ud83e\\udd99"}') == Final("Hi 🦙")


def test_each_call_gets_an_id_of_its_own() -> None:
    text = '{"tool": "x", "args": {}}'
    first, second = parse_tool_call(text), parse_tool_call(text)
    assert isinstance(first, ToolCall)
    assert isinstance(second, ToolCall)
    assert first.id != second.id


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Hello there", "Expecting value at character 1"),
        ("", "Expecting value"),
        ('```json\n{"final": "x"}\n```', "near"),
        ('{"final": "x"} and more', "there is more behind the object at character 16"),
        ('{"final": "x"}{"final": "y"}', "there is more behind the object"),
        ('{"final": "x", "final": "y"}', 'the key "final" is there twice'),
        ('{"tool": "x", "args": {"a": 1, "a": 2}}', 'the key "a" is there twice'),
        ('{"tool": "x", "args": {"a": NaN}}', "NaN is no number in JSON"),
        ('{"tool": "x", "args": {"a": -Infinity}}', "-Infinity is no number"),
        ('{"tool": "x", "args": {"a": 1e999}}', "1e999 is too large"),
        ('{"tool": "x", "args": {"a": ' + "1" * 5_000 + "}}", "a number is too long"),
        ("[1]", "it is no JSON object"),
        ("null", "it is no JSON object"),
        ("{}", "neither"),
        ('{"args": {}}', "neither"),
        ('{"final": "x", "tool": "y"}', "both"),
        ('{"final": 3}', '"final" is no text'),
        ('{"tool": 3, "args": {}}', '"tool" is no text'),
        ('{"tool": "x"}', '"args" is missing'),
        ('{"tool": "x", "args": "{}"}', '"args" is missing, or no object'),
        ('{"tool": "x", "args": {}, "why": 1}', 'do not belong: "why"'),
        ('{"final": "x", "args": {}}', "do not belong: args"),
        ('{"final": "cut', "Unterminated string"),
        ('{"final": "a\nb"}', "Invalid control character"),
        (DEEP, "nested too deeply"),
    ],
)
def test_what_is_not_strict_json_is_refused_with_the_reason(text: str, why: str) -> None:
    detail = refusal(text)
    assert why in detail
    assert len(detail) < 300


def test_half_a_surrogate_pair_does_not_reach_the_user() -> None:
    assert parse_tool_call('{"final": "a\\ud800b"}') == Final("a\ufffdb")


def test_half_a_surrogate_pair_stays_an_escape_in_arguments() -> None:
    call = parse_tool_call('{"tool": "a\\ud800", "args": {"\\ud800": "ü"}}')
    assert isinstance(call, ToolCall)
    assert (call.name, call.arguments) == ("a\ufffd", '{"\\ud800": "\\u00fc"}')


def test_equal_arguments_share_one_text() -> None:
    one = canonical('{"b": [1, 2.0], "a": "\\u00fc"}')
    assert one == canonical('{"a":"ü",\n"b":[1,2.0]}')
    assert one != canonical('{"a": "u", "b": [1, 2.0]}')
    with pytest.raises(ToolReplyError):
        canonical("{path}")


def test_whatever_can_be_read_can_be_written() -> None:
    for depth in (500, *range(800, 1_000), 2_000):
        text = '{"a":' * depth + "1" + "}" * depth
        try:
            assert canonical(text)
        except ToolReplyError as error:
            assert "nested" in error.params["detail"]


async def test_long_texts_are_read_in_a_thread() -> None:
    text = json.dumps({"final": "x" * THREAD_ABOVE})
    assert await aside(parse_object, text) == json.loads(text)
    assert await aside(parse_object, '{"a": 1}') == {"a": 1}
    with pytest.raises(ToolReplyError):
        await aside(parse_object, "x" * (THREAD_ABOVE + 1))


def read(text: str, size: int = 1) -> tuple[ReplyReader, list[str]]:
    reader = ReplyReader()
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    return reader, [reader.feed(piece) for piece in pieces]


def test_a_final_answer_comes_character_by_character() -> None:
    reader, shown = read('{"final": "Hi you"}')
    assert shown[11:17] == ["H", "i", " ", "y", "o", "u"]
    assert "".join(shown) == reader.text == "Hi you"
    assert reader.call is None


@given(st.text(), st.integers(1, 7), st.booleans())
def test_what_is_streamed_is_what_is_parsed(text: str, size: int, ascii_only: bool) -> None:
    raw = json.dumps({"final": text}, ensure_ascii=ascii_only)
    reader, shown = read(raw, size)
    assert parse_tool_call(raw) == Final(reader.text)
    assert "".join(shown) == reader.text


@pytest.mark.parametrize("size", [1, 2, 3, 5, 100])
@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (r'"\ud83e\udd99 \u00fc\n\"\\\/"', '🦙 ü\n"\\/'),
        (r'"\ud83e!"', "\ufffd!"),
        (r'"\ud83e"', "\ufffd"),
        (r'"\ud83e\n"', "\ufffd\n"),
        (r'"\ud83e\ud83e\udd99"', "\ufffd🦙"),
        (r'"\udd99\ud83e"', "\ufffd\ufffd"),
    ],
)
def test_escapes_and_surrogate_pairs_may_be_split_anywhere(raw: str, text: str, size: int) -> None:
    reader, shown = read(f'{{"final":{raw}}}', size)
    assert "".join(shown) == reader.text == text
    assert all(piece < "\ud800" or piece > "\udfff" for piece in shown if piece)


def test_a_call_is_never_shown_as_text_but_its_growth_is_known() -> None:
    reader, shown = read('{"tool": "write_file", "args": {"path": "a"}}', 3)
    assert not any(shown)
    assert reader.text == ""
    assert reader.call == ("write_file", len(' {"path": "a"}}'))


@pytest.mark.parametrize(
    "text", ["Hello {", '{"final": 3}', "x" * 3 * HEAD_LIMIT, '{"other": "', '{"tool": "a b", "']
)
def test_what_is_no_envelope_shows_nothing(text: str) -> None:
    reader, shown = read(text)
    assert not any(shown)
    assert (reader.text, reader.call) == ("", None)


@pytest.mark.parametrize("bad", ["\\x and more to come", "\n and more", "\\u12g4 and more"])
def test_nothing_is_shown_after_what_is_no_json(bad: str) -> None:
    reader, _ = read(f'{{"final": "good {bad}"}}')
    assert reader.text == "good "


def test_nothing_is_shown_behind_the_closing_quote() -> None:
    assert read('{"final": "a"} b", "c": "d"}', 2)[0].text == "a"


def test_a_long_head_that_says_nothing_is_given_up() -> None:
    reader = ReplyReader()
    reader.feed(" " * (HEAD_LIMIT + 1))
    assert reader.feed('{"final": "late"}') == ""
