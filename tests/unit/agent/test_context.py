"""What is sent: the prefix stays the same from turn to turn, nothing is cut, roles alternate."""

from __future__ import annotations

from rony_desktop.agent.context import ContextBuilder
from rony_desktop.agent.prompt import BASE, system_prompt
from rony_desktop.contract.message import Message, Role
from rony_desktop.contract.session import Session, SessionMessage


def session(*messages: tuple[Role, str]) -> Session:
    return Session("s", messages=tuple(SessionMessage(Message(r, t)) for r, t in messages))


BUILDER = ContextBuilder(system_prompt())


def test_each_request_begins_with_the_one_before() -> None:
    first = BUILDER.build("one", session())
    second = BUILDER.build("two", session((Role.USER, "one"), (Role.ASSISTANT, "1")))
    assert second.system == first.system == BASE
    assert second.messages[: len(first.messages)] == first.messages
    assert [m.content for m in second.messages] == ["one", "1", "two"]


def test_an_answer_without_a_word_leaves_no_gap() -> None:
    request = BUILDER.build("again", session((Role.USER, "one"), (Role.ASSISTANT, "")))
    assert [(m.role, m.content) for m in request.messages] == [(Role.USER, "one\n\nagain")]


def test_nothing_new_continues_from_the_last_message() -> None:
    request = BUILDER.build("", session((Role.USER, "one")))
    assert [m.content for m in request.messages] == ["one"]
