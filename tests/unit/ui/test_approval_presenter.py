"""Questions of every chat, one at a time, only those of the shown one."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from rony_desktop.contract.approval import ApprovalRequest, AskReason, GrantScope
from rony_desktop.contract.message import ToolCall
from rony_desktop.ui.approval.choice import Choice
from rony_desktop.ui.approval.presenter import ApprovalPresenter


def ask(session: str, call: str) -> ApprovalRequest:
    return ApprovalRequest(
        session, ToolCall(call, "write_file", "{}"), AskReason.CHANGES, "/f", "walk", call
    )


@dataclass
class World:
    answers: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    shown: tuple[str, int] | None = None
    elsewhere: int = 0

    def answer(self, request: ApprovalRequest, **said: Any) -> None:
        self.answers.append((request.call.id, said))

    def show(self, request: ApprovalRequest, waiting: int) -> None:
        self.shown = (request.call.id, waiting)

    def hide(self) -> None:
        self.shown = None

    def show_elsewhere(self, count: int) -> None:
        self.elsewhere = count


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def presenter(world: World) -> ApprovalPresenter:
    presenter = ApprovalPresenter(world, world)
    presenter.shown("a")
    return presenter


def test_questions_are_asked_in_order_with_their_count(
    presenter: ApprovalPresenter, world: World
) -> None:
    presenter.asked(ask("a", "1"))
    assert world.shown == ("1", 1)
    presenter.asked(ask("a", "2"))
    assert world.shown == ("1", 2)
    presenter.allow(Choice(GrantScope.SESSION, (0, 2)))
    assert world.shown == ("2", 1)
    presenter.deny("too much")
    assert world.shown is None
    assert world.answers == [
        ("1", {"allowed": True, "scope": GrantScope.SESSION, "reason": "", "hunks": (0, 2)}),
        ("2", {"allowed": False, "scope": GrantScope.ONCE, "reason": "too much", "hunks": None}),
    ]


def test_other_chats_wait_and_are_counted(presenter: ApprovalPresenter, world: World) -> None:
    for session, call in (("b", "1"), ("b", "2"), ("c", "3")):
        presenter.asked(ask(session, call))
    assert (world.shown, world.elsewhere) == (None, 2)
    assert presenter.elsewhere() == "b"
    presenter.shown("b")
    assert (world.shown, world.elsewhere) == (("1", 2), 1)
    presenter.shown("a")
    assert (world.shown, world.elsewhere) == (None, 2)


def test_a_question_settled_elsewhere_goes_away(presenter: ApprovalPresenter, world: World) -> None:
    presenter.asked(ask("a", "1"))
    presenter.settled("a", "other")
    assert world.shown == ("1", 1)
    presenter.settled("a", "1")
    assert world.shown is None
    presenter.allow(Choice())
    presenter.deny()
    assert world.answers == []


def test_a_question_asked_again_replaces_the_first(
    presenter: ApprovalPresenter, world: World
) -> None:
    presenter.asked(ask("a", "1"))
    presenter.asked(ask("a", "1"))
    assert world.shown == ("1", 1)
