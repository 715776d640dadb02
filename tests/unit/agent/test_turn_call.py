"""The calls of a turn: each answered once and in order, and every way it can go wrong."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from rony_desktop.agent.limit import Limit
from rony_desktop.agent.turn import SHOWN_AGAIN, Turn
from rony_desktop.contract.event import (
    Append,
    CallForming,
    Iteration,
    TextDelta,
    TurnEvent,
    TurnFinished,
)
from rony_desktop.contract.llm import (
    CompletionResponse,
    StopReason,
    TokenUsage,
)
from rony_desktop.contract.message import Message, Role, ToolCall, ToolResult
from rony_desktop.contract.session import CallTrace, Session
from rony_desktop.contract.tool import CHANGED, DURATION_MS, ENDS_TURN, ToolState
from tests.fake.agent import FakeExecutor, FakeLLM
from tests.fake.turn import CALL, LIMITS, PLAIN, REQUEST, run, turn

SEEN = ToolResult("seen", metadata={DURATION_MS: "5"})


def calling(*calls: ToolCall, content: str = "") -> CompletionResponse:
    return CompletionResponse("2", content, calls, TokenUsage(1, 1), StopReason.TOOL_USE)


def look(id: str, arguments: str = "{}", name: str = "look") -> ToolCall:
    return ToolCall(id, name, arguments)


def results(events: list[TurnEvent]) -> list[tuple[str, str]]:
    """Which calls were answered, in order, and with what."""
    answers = [event.message for event in events if isinstance(event, Append)]
    assert all(m.tool_result and m.tool_result.content == m.content for m in answers)
    return [(m.tool_call_id, m.content) for m in answers]


def announced(events: list[TurnEvent]) -> list[str]:
    """The ids of the calls as the replies announced them."""
    replies = [event.message for event in events if isinstance(event, Iteration)]
    return [call.id for message in replies for call in message.tool_calls]


async def test_a_reply_is_announced_before_its_calls_run_and_each_answer_at_once() -> None:
    order: list[str] = []

    def answer(call: ToolCall) -> ToolResult:
        order.append(f"run {call.id}")
        return SEEN

    llm = FakeLLM([calling(look("a"), look("b", '{"x": 1}')), PLAIN])
    async for event in turn(llm, FakeExecutor(answer)).events():
        if isinstance(event, Iteration | Append):
            order.append(type(event).__name__)
    assert order == ["Iteration", "run a", "Append", "run b", "Append", "Iteration"]


async def test_ids_are_unique_over_the_conversation_and_order_stays() -> None:
    old = Message(Role.ASSISTANT, tool_calls=(look("old"),))
    calls = (look("a", "[]"), look("a", '{"n": 1}'), look(""), look("old", '{"n": 2}'))
    llm = FakeLLM([calling(*calls), calling(look("a", '{"n": 3}')), PLAIN])
    executor = FakeExecutor(SEEN)
    request = replace(REQUEST, messages=(REQUEST.messages[0], old))
    session = Session("s", calls={"trace": CallTrace(ToolState.DONE)})
    it = Turn(llm, request, session, Limit(LIMITS), executor)
    events, response = await run(it)
    ids = announced(events)
    assert [id for id, _ in results(events)] == ids
    assert len({*ids, "old", "trace", ""}) == len(ids) + 3
    assert ids[0] == "a"
    assert [call.id for call in response.tool_calls] == ids
    assert [call.id for call in executor.calls] == ids[1:]


async def test_calls_of_a_reply_that_ends_as_a_plain_one_are_run() -> None:
    llm = FakeLLM([replace(CALL, stop_reason=StopReason.END_TURN), PLAIN])
    _, response = await run(turn(llm, executor := FakeExecutor(SEEN)))
    assert (len(executor.calls), response.content) == (1, "Hello there")


@pytest.mark.parametrize(
    ("content", "code"), [("", "provider.empty"), ("Let me see.", "provider.broken")]
)
async def test_a_call_that_is_announced_and_missing_is_an_error(content: str, code: str) -> None:
    _, response = await run(turn(FakeLLM([calling(content=content)]), FakeExecutor(SEEN)))
    assert response.stop_reason is StopReason.ERROR
    assert response.failure
    assert response.failure.code == code


async def test_a_call_that_was_cut_is_answered_and_never_run() -> None:
    cut = replace(
        calling(look("a"), look("b", '{"x": "' + "y" * 9_000)), stop_reason=StopReason.MAX_TOKENS
    )
    events, response = await run(turn(FakeLLM([cut]), executor := FakeExecutor(SEEN)))
    assert response.stop_reason is StopReason.MAX_OUTPUT_RECOVERY_EXHAUSTED
    assert executor.calls == []
    assert [text for _, text in results(events)] == [
        "Not run: the reply was cut off before its end."
    ] * 2
    assert len(response.tool_calls[1].arguments) == SHOWN_AGAIN


async def test_a_cut_reply_without_a_word_is_no_empty_answer() -> None:
    cut = replace(PLAIN, content="", stop_reason=StopReason.MAX_TOKENS)
    _, response = await run(turn(FakeLLM([cut])))
    assert response.stop_reason is StopReason.MAX_OUTPUT_RECOVERY_EXHAUSTED


async def test_unparsable_arguments_are_answered_with_the_right_form() -> None:
    llm = FakeLLM([calling(look("a", "{path}"), look("b")), PLAIN])
    events, _ = await run(turn(llm, executor := FakeExecutor(SEEN)))
    (_, told), (_, seen) = results(events)
    assert told.startswith("look was not run: its arguments could not be read: ")
    assert seen == "seen"
    assert [call.id for call in executor.calls] == ["b"]
    message = llm.requests[1].messages[-2]
    assert message.tool_result
    assert message.tool_result.is_error


async def test_two_unreadable_replies_in_a_row_ask_for_the_envelope_which_stays() -> None:
    bad = [calling(look(f"b{n}", "{")) for n in range(2)]
    good = [calling(look(f"g{n}", f'{{"n": {n}}}')) for n in range(2)]
    llm = FakeLLM([bad[0], good[0], *bad, good[1], PLAIN])
    await run(turn(llm, FakeExecutor(SEEN)))
    assert [request.envelope for request in llm.requests] == [False] * 4 + [True] * 2


async def test_parse_errors_in_a_row_end_the_turn() -> None:
    llm = FakeLLM([calling(look(f"b{n}", "{")) for n in range(5)])
    events, response = await run(turn(llm, FakeExecutor(SEEN)))
    assert response.stop_reason is StopReason.PARSE_ERRORS
    assert len(results(events)) == 5


async def test_errors_of_the_schema_are_no_parse_errors() -> None:
    calls = [calling(look(f"c{n}", f'{{"n": {n}}}')) for n in range(6)]
    wrong = ToolResult("The arguments of look are wrong.", is_error=True)
    _, response = await run(turn(FakeLLM([*calls, PLAIN]), FakeExecutor(wrong)))
    assert response.stop_reason is StopReason.END_TURN


async def test_an_unreadable_envelope_is_repaired_within_the_request_alone() -> None:
    prose = replace(PLAIN, content="I will " + "look " * 1_000, problem="it is prose")
    llm = FakeLLM([prose, prose, calling(look("a")), PLAIN])
    events, response = await run(turn(llm, FakeExecutor(SEEN)))
    raw, told = llm.requests[1].repairs
    assert (raw.role, raw.content) == (Role.ASSISTANT, prose.content[:SHOWN_AGAIN])
    assert told.role is Role.USER
    assert "it is prose" in told.content
    assert len(told.content) <= 400
    assert [len(request.repairs) for request in llm.requests] == [0, 2, 4, 0]
    assert [request.envelope for request in llm.requests] == [False, False, True, True]
    assert llm.requests[2].messages == REQUEST.messages
    assert [type(e) for e in events if not isinstance(e, TextDelta | CallForming)] == [
        Iteration,
        Append,
        Iteration,
        TurnFinished,
    ]
    assert response.usage == prose.usage + prose.usage + TokenUsage(1, 1) + PLAIN.usage


async def test_envelopes_that_stay_unreadable_end_the_turn_without_their_raw_text() -> None:
    prose = replace(PLAIN, content="I will look.", problem="it is prose")
    _, response = await run(turn(FakeLLM([prose] * 5)))
    assert (response.stop_reason, response.content) == (StopReason.PARSE_ERRORS, "")


async def test_the_third_identical_call_is_answered_from_the_record_the_fourth_ends() -> None:
    calls = [calling(look(f"c{n}", '{"a":1}' if n % 2 else '{"a": 1}')) for n in range(3)]
    last = calling(look("c3", '{"a":1}'), look("c4", '{"other": 1}'))
    kept = ToolResult("a wall", is_error=True, metadata={CHANGED: "x", ENDS_TURN: "unable"})
    answers = iter([ToolResult("fog"), replace(kept, metadata={})])
    executor = FakeExecutor(lambda _: next(answers))
    events, response = await run(turn(FakeLLM([*calls, last]), executor))
    assert response.stop_reason is StopReason.REPEATED_CALL
    texts = [text for _, text in results(events)]
    assert texts[:2] == ["fog", "a wall"]
    assert texts[2].startswith("This very call was already made")
    assert texts[2].endswith("a wall")
    assert texts[3] == texts[4] == "Not run: the same call was made again and again."
    assert [call.id for call in executor.calls] == ["c0", "c1"]


async def test_a_change_forgets_the_other_calls_and_a_failed_one_does_not() -> None:
    def answer(call: ToolCall) -> ToolResult:
        failed = "failed" in call.arguments
        changes = call.name == "write"
        return ToolResult("x", failed, {CHANGED: "a.txt"} if changes else {})

    read = [calling(look("r")), calling(look("r"))]
    write = calling(look("w", name="write"))
    failed = calling(look("f", '{"failed": 1}', name="write"))
    executor = FakeExecutor(answer)
    await run(turn(FakeLLM([*read, write, *read, PLAIN]), executor))
    assert len(executor.calls) == 5
    executor = FakeExecutor(answer)
    events, _ = await run(turn(FakeLLM([*read, failed, *read[:1], PLAIN]), executor))
    assert len(executor.calls) == 3
    assert results(events)[-1][1].startswith("This very call")


async def test_load_message_and_report_inability_never_count() -> None:
    calls = [calling(look(f"c{n}", name="load_message")) for n in range(6)]
    _, response = await run(turn(FakeLLM([*calls, PLAIN]), executor := FakeExecutor(SEEN)))
    assert response.stop_reason is StopReason.END_TURN
    assert len(executor.calls) == 6


async def test_a_tool_may_end_the_turn_and_the_user_sees_why() -> None:
    unable = ToolResult("There is no printer.", metadata={ENDS_TURN: StopReason.UNABLE})
    llm = FakeLLM([calling(look("a"), look("b"), look("c"), content="Hm.")])
    events, response = await run(turn(llm, executor := FakeExecutor(unable)))
    assert (response.stop_reason, response.content) == (StopReason.UNABLE, "There is no printer.")
    rest = "Not run: the turn ended before it."
    assert results(events) == [("a", "There is no printer."), ("b", rest), ("c", rest)]
    assert len(executor.calls) == 1
    assert events[-2] == TextDelta("There is no printer.")


async def test_time_is_looked_at_between_calls() -> None:
    slow = ToolResult("x", metadata={DURATION_MS: "61000"})
    llm = FakeLLM([calling(look("a"), look("b", '{"n": 1}'))])
    events, response = await run(turn(llm, executor := FakeExecutor(slow)))
    assert response.stop_reason is StopReason.TIMEOUT
    assert response.duration_s > 61
    assert results(events) == [("a", "x"), ("b", "Not run: the time of this turn is over.")]
    assert len(executor.calls) == 1


async def test_waiting_for_the_user_does_not_count() -> None:
    now = [0.0]

    def answer(call: ToolCall) -> ToolResult:
        now[0] += 3_600
        return SEEN

    it = turn(FakeLLM([calling(look("a")), PLAIN]), FakeExecutor(answer))
    it.limit = Limit(LIMITS, clock=lambda: now[0])
    _, response = await run(it)
    assert (response.stop_reason, response.duration_s) == (StopReason.END_TURN, 0.005)


async def test_many_calls_in_one_reply_are_answered_once_each_and_in_order() -> None:
    calls = [look(f"c{n}", f'{{"n": {n}}}') for n in range(300)]
    events, _ = await run(turn(FakeLLM([calling(*calls), PLAIN]), FakeExecutor(SEEN)))
    assert results(events) == [(f"c{n}", "seen") for n in range(300)]


async def test_arguments_of_two_megabytes_are_run_as_they_came() -> None:
    text = json.dumps({"content": "x" * 2_000_000})
    llm = FakeLLM([calling(look("a", text)), PLAIN])
    _, response = await run(turn(llm, executor := FakeExecutor(SEEN)))
    assert executor.calls[0].arguments == text
    assert response.stop_reason is StopReason.END_TURN


async def test_a_tool_that_is_cancelled_is_left_at_once_and_never_retried() -> None:
    begun = asyncio.Event()

    class Waiting:
        calls = 0

        async def execute(self, call: ToolCall, session: Session) -> ToolResult:
            self.calls += 1
            begun.set()
            await asyncio.Event().wait()
            return SEEN

    llm, waiting, events = FakeLLM([calling(look("a"), look("b"))]), Waiting(), []

    async def consume() -> None:
        async for event in Turn(llm, REQUEST, Session("s"), Limit(LIMITS), waiting).events():
            events.append(event)

    running = asyncio.create_task(consume())
    await asyncio.wait_for(begun.wait(), 5)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert waiting.calls == 1
    assert not any(isinstance(event, Append | TurnFinished) for event in events)
