"""What a conversation knows of itself."""

from __future__ import annotations

from rony_desktop.contract.llm import TokenUsage
from rony_desktop.contract.message import Message, Role
from rony_desktop.contract.session import Session, SessionMessage


def test_the_leaf_is_the_newest_message() -> None:
    messages = tuple(SessionMessage(Message(Role.USER, "x", id)) for id in ("a", "b"))
    assert Session("s", messages=messages).leaf == "b"
    assert Session("s").leaf is None


def test_tokens_of_every_answer_are_added() -> None:
    used = (None, TokenUsage(10, 5), None, TokenUsage(30, 7, 20))
    messages = tuple(SessionMessage(Message(Role.USER, "x"), usage=usage) for usage in used)
    assert Session("s", messages=messages).total_tokens == 52
    assert Session("s").total_tokens == 0
