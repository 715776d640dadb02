"""The words of a tool call: the line in every state, and what is shown of a result."""

from __future__ import annotations

import json
import time

import pytest

from rony_desktop.contract.message import ToolCall, ToolResult
from rony_desktop.contract.tool import DURATION_MS, NOT_RUN, NotRun, ToolState
from rony_desktop.ui.chat.block import CallState, ShownCall
from rony_desktop.ui.chat.call import (
    CHARACTERS,
    LINES,
    answered,
    called,
    forming,
    left,
    moved,
)

pytestmark = [pytest.mark.ui, pytest.mark.usefixtures("qapp")]
READ = ToolCall("1", "read_file", '{"path": "notes.md"}')
WRITE = ToolCall("2", "write_file", '{"path": "docs/a.md", "content": "x"}')


def through(call: ToolCall, *states: ToolState, **params: str) -> ShownCall:
    line = called(call)
    for state in states:
        line = moved(line, state, params)
    return line


def test_a_call_goes_through_its_states_in_words() -> None:
    line = called(WRITE)
    seen = [(line.state, line.words)]
    for state in (ToolState.ASKED, ToolState.ALLOWED, ToolState.STARTED):
        line = moved(line, state, {})
        seen.append((line.state, line.words))
    line = moved(line, ToolState.DONE, {DURATION_MS: "12"})
    line = answered(line, ToolResult("wrote 1 line"))
    seen.append((line.state, line.words))
    assert seen == [
        (CallState.QUEUED, "Write docs/a.md"),
        (CallState.WAITING, "Write docs/a.md · waiting for you"),
        (CallState.QUEUED, "Write docs/a.md"),
        (CallState.RUNNING, "Writing docs/a.md"),
        (CallState.DONE, "Wrote docs/a.md · 12\u2009ms"),
    ]
    assert (line.icon, line.result, line.rest) == ("file-plus", "wrote 1 line", "")


def test_a_refusal_stays_one_and_gives_the_reason() -> None:
    line = through(WRITE, ToolState.ASKED, ToolState.DENIED, reason="not\nthere")
    line = answered(line, ToolResult("The user refused: not there", is_error=True))
    assert (line.state, line.words) == (CallState.REFUSED, "Write docs/a.md · you refused: not")
    assert line.result == "The user refused: not there"
    assert through(WRITE, ToolState.DENIED).words == "Write docs/a.md · you refused"


@pytest.mark.parametrize(
    ("said", "note"),
    [
        ("notes.md: there is no such file.\nmore", "there is no such file."),
        ("\n  Gone.  ", "Gone."),
        ("", "failed"),
        ("a\u202eb", "a\\u202eb"),
    ],
)
def test_a_failure_says_its_first_line(said: str, note: str) -> None:
    line = answered(through(READ, ToolState.STARTED), ToolResult(said, True, {DURATION_MS: "9"}))
    assert (line.state, line.words) == (CallState.FAILED, f"Read notes.md · {note}")


@pytest.mark.parametrize(
    ("states", "why", "state", "words"),
    [
        ((), NotRun.ENDED, CallState.NOT_RUN, "not run"),
        ((), NotRun.STOPPED, CallState.NOT_RUN, "not run: you stopped the answer"),
        ((ToolState.ASKED,), NotRun.CLOSED, CallState.NOT_RUN, "not run"),
        ((ToolState.ALLOWED,), NotRun.CLOSED, CallState.NOT_RUN, "not run"),
        ((ToolState.STARTED,), NotRun.CLOSED, CallState.INTERRUPTED, "interrupted"),
        ((ToolState.DENIED,), NotRun.ENDED, CallState.REFUSED, "you refused"),
    ],
)
def test_what_got_no_answer_of_its_tool_says_why(
    states: tuple[ToolState, ...], why: NotRun, state: CallState, words: str
) -> None:
    result = ToolResult("write_file was not run", True, {NOT_RUN: why})
    line = answered(through(WRITE, *states), result)
    assert (line.state, line.words) == (state, f"Write docs/a.md · {words}")


def test_what_was_done_and_whose_words_are_lost_is_not_called_not_run() -> None:
    result = ToolResult("write_file was run", True, {NOT_RUN: NotRun.CLOSED})
    line = through(WRITE, ToolState.STARTED, ToolState.DONE)
    assert answered(line, result) == line


@pytest.mark.parametrize(
    ("trace", "state"),
    [
        (None, CallState.NOT_RUN),
        (ToolState.ASKED, CallState.NOT_RUN),
        (ToolState.ALLOWED, CallState.NOT_RUN),
        (ToolState.DENIED, CallState.REFUSED),
        (ToolState.STARTED, CallState.INTERRUPTED),
        (ToolState.DONE, CallState.DONE),
    ],
)
def test_a_call_left_behind_tells_how_far_it_came(
    trace: ToolState | None, state: CallState
) -> None:
    assert left(called(WRITE), trace, {}).state is state


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("search_files", {"path": "docs", "pattern": "foo"}, "Search “foo”"),
        ("list_files", {}, "List files"),
        ("read_output", {"ref": "r-1"}, "Read result r-1"),
        ("weather", {"query": "Madrid"}, "weather “Madrid”"),
        ("<b>bad</b>\u202e\n", {}, "<b>bad</b>\\u202e"),
        ("read_file", {"path": "a\nb\u2028c\u00ad"}, "Read a\\u000ab\\u2028c\\u00ad"),
        ("read_file", {"path": 7}, "Read"),
    ],
)
def test_the_object_is_what_the_call_is_about(
    name: str, arguments: dict[str, object], words: str
) -> None:
    assert called(ToolCall("c", name, json.dumps(arguments))).words == words


@pytest.mark.parametrize("arguments", ["", "{", "[1]", '"x"', "[" * 100_000, "nul"])
def test_arguments_that_cannot_be_read_name_nothing(arguments: str) -> None:
    assert called(ToolCall("c", "read_file", arguments)).words == "Read"


def test_very_long_arguments_are_read_at_their_start_only() -> None:
    arguments = '{"path": "big \\"a\\".md", "content": "' + "x" * 2_000_000 + '"}'
    begun = time.thread_time()
    assert called(ToolCall("c", "write_file", arguments)).object == 'big "a".md'
    assert time.thread_time() - begun < 0.05
    assert called(ToolCall("c", "write_file", json.dumps({"x": arguments}))).object == ""


def test_a_long_object_loses_its_middle() -> None:
    words = called(ToolCall("c", "read_file", json.dumps({"path": "a" * 9_000 + "z"}))).object
    assert len(words) == 1_001
    assert words.startswith("aaa")
    assert words.endswith("az")


def test_a_result_is_shown_up_to_a_number_of_lines() -> None:
    whole = "\n".join(str(n) for n in range(LINES))
    line = answered(called(READ), ToolResult(whole))
    assert (line.result, line.rest) == (whole, "")
    line = answered(called(READ), ToolResult(f"{whole}\nmore\nand more\n"))
    assert line.result == whole
    assert line.rest == "The first 200 of 202 lines are shown."


def test_a_result_is_shown_up_to_a_number_of_characters() -> None:
    line = answered(called(READ), ToolResult("x" * (CHARACTERS + 5)))
    assert len(line.result) == CHARACTERS
    assert line.rest == "The first 20,000 of 20,005 characters are shown."


def test_what_wraps_a_result_is_no_part_of_it() -> None:
    line = answered(called(READ), ToolResult("<w>inside</w>"), lambda r: r.content[3:-4])
    assert line.result == "inside"


@pytest.mark.parametrize(
    ("ms", "words"),
    [
        ("0", "0\u2009ms"),
        ("12.4", "12\u2009ms"),
        ("1240", "1.2\u2009s"),
        ("x", ""),
        ("", ""),
        ("inf", ""),
        ("-1e999", ""),
        ("nan", ""),
    ],
)
def test_durations(ms: str, words: str) -> None:
    assert answered(called(READ), ToolResult("", metadata={DURATION_MS: ms})).duration == words


def test_a_call_being_written_says_its_name_and_its_size() -> None:
    assert forming("write_file", 12_400) == "Preparing: Write … 12\u2009kB"
    assert forming("write_file", 999) == "Preparing: Write …"
    assert forming("a\u202eb" * 99, 0).startswith("Preparing: a\\u202eb")


def test_the_exact_arguments_can_be_seen_up_to_a_limit() -> None:
    hidden = '{"path": "a\u202eb\u2800\ue000",\n "n": 1}'
    line = called(ToolCall("1", "x", hidden))
    assert line.arguments == '{"path": "a\\u202eb\\u2800\\ue000",\n "n": 1}'
    assert (called(READ).arguments, called(READ).left_out) == ('{"path": "notes.md"}', "")
    assert not called(ToolCall("1", "list_files", " {} ")).opens
    huge = called(ToolCall("1", "x", json.dumps({"content": "x" * 2_000_000})))
    assert len(huge.arguments) == 4_000
    assert huge.left_out == "The first 4,000 of 2,000,015 characters are shown."
