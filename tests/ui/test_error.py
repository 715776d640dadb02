"""Failures in the user's words."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QTranslator
from PySide6.QtWidgets import QApplication

from rony_desktop.contract.error import (
    Action,
    ContextOverflow,
    DownloadFull,
    EngineBusy,
    Failure,
    RonyError,
    ToolDeniedError,
    UpstreamChanged,
    error_classes,
    fill,
)
from rony_desktop.ui.card import ErrorText
from rony_desktop.ui.error import answering, button, local, words

pytestmark = pytest.mark.ui


def test_a_failure_has_a_sentence_a_remedy_and_a_button(qapp: QApplication) -> None:
    assert words(ContextOverflow(needed=9, limit=8).failure()) == ErrorText(
        "This chat needs 9 tokens and the model's context holds 8.",
        "Start a new chat, or choose a model with a larger context.",
        "New chat",
        "new_chat",
    )


def test_where_nothing_can_be_done_there_is_no_button(qapp: QApplication) -> None:
    assert words(ToolDeniedError(name="rm", detail="it was denied").failure()) == ErrorText(
        "rm was not run: it was denied."
    )


def test_a_failure_of_a_newer_version_can_be_shown(qapp: QApplication) -> None:
    assert words(Failure("from.the.future", {"detail": "x"})).sentence == (
        "Something went wrong: x."
    )


def test_in_a_page_what_the_window_cannot_help_with_is_tried_again(qapp: QApplication) -> None:
    changed = UpstreamChanged(file="m.gguf").failure()
    assert words(changed).button == ""
    assert (local(changed).button, local(changed).action) == ("Try again", Action.RETRY)
    assert local(changed, again=False) == words(changed)
    full = DownloadFull(folder="/m", needed=2, free=1).failure()
    assert local(full) == local(full, again=False) == words(full)
    busy, long = EngineBusy().failure(), ContextOverflow(needed=9, limit=8).failure()
    assert local(busy).action == Action.RETRY, "the log does not help"
    assert local(busy, also=Action.OPEN_LOG) == words(busy)
    assert local(long).action == Action.RETRY, "no page can open a chat"
    assert local(long, again=False).button == ""


def test_a_page_tries_again_itself_and_asks_for_the_rest() -> None:
    said: list[str] = []
    answer = answering(lambda: said.append("again"), said.append)
    answer(Action.RETRY)
    answer(Action.OPEN_DATA)
    assert said == ["again", Action.OPEN_DATA]


@pytest.mark.parametrize("action", Action)
def test_every_action_has_a_label(qapp: QApplication, action: Action) -> None:
    assert bool(button(action)) == (action is not Action.NONE)


def shout(template: str) -> str:
    """The template in capitals; placeholders stay as they are."""
    return "".join(
        part if part.startswith("{") else part.upper() for part in re.split(r"({.*?})", template)
    )


class Shouting(QTranslator):
    """A language that is English in capitals, for the context of errors alone."""

    def isEmpty(self) -> bool:  # noqa: N802
        return False

    def translate(
        self, context: str, source: str, disambiguation: str | None = None, n: int = -1
    ) -> str | None:
        return shout(source) if context == "error" else None


@pytest.fixture
def shouting(qapp: QApplication) -> Iterator[None]:
    translator = Shouting()
    QCoreApplication.installTranslator(translator)
    yield
    QCoreApplication.removeTranslator(translator)


@pytest.mark.parametrize("kind", list(error_classes()), ids=lambda kind: kind.code)
def test_every_error_is_translated_before_its_parameters_are_put_in(
    shouting: None, kind: type[RonyError]
) -> None:
    params = {name: "As Written" for name in ("path", "detail", "session", "name")}
    shown = words(Failure(kind.code, params))
    assert shown.sentence == fill(shout(kind.sentence), params)
    assert shown.remedy == fill(shout(kind.remedy), params)
    assert shown.button == button(kind.action).upper()
