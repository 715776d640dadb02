"""A job's card: one button in one place, progress, an error with its own button, a result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.ui.card import ErrorText
from rony_desktop.ui.speed.card import JobCard
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
Find = Callable[..., Any]


@pytest.fixture
def card(theme: Theme, qtbot: QtBot) -> JobCard:
    card = JobCard(theme, "job", "Job")
    qtbot.addWidget(card)
    card.show()
    return card


def test_at_rest_there_is_neither_progress_nor_error(card: JobCard, child: Find) -> None:
    assert not child(card, QLabel, "speed_job_progress").isVisible()
    assert not card._meter.isVisible()
    assert not child(card, QWidget, "speed_job_error").isVisible()


def test_progress_has_words_and_a_bar(card: JobCard, child: Find) -> None:
    card.show_progress("Starting", None)
    assert card._meter.moving()
    card.show_progress("3 of 6", 0.5)
    assert child(card, QLabel, "speed_job_progress").text() == "3 of 6"
    assert not card._meter.moving()
    assert card._meter.isVisible()
    card.show_progress("", None)
    assert not card._meter.isVisible()
    assert not card._meter.moving()


def test_the_button_is_named_and_tells_that_it_was_pressed(
    card: JobCard, child: Find, qtbot: QtBot
) -> None:
    card.set_button("Go", look="primary")
    button = child(card, QPushButton, "speed_job")
    assert (button.text(), button.accessibleName(), button.property("look")) == (
        "Go", "Go", "primary",
    )  # fmt: skip
    with qtbot.waitSignal(card.pressed):
        button.click()
    card.set_button("Go", enabled=False)
    assert (button.isEnabled(), button.property("look")) == (False, "outline")


def test_an_error_has_one_button(card: JobCard, child: Find, qtbot: QtBot) -> None:
    card.show_failure(ErrorText("Broken.", "Mend it.", "Try again", "retry"))
    assert child(card, QLabel, "speed_job_sentence").text() == "Broken."
    with qtbot.waitSignal(card.failurePressed) as told:
        child(card, QPushButton, "speed_job_repeat").click()
    assert told.args == ["retry"]
    card.show_failure(None)
    assert not child(card, QWidget, "speed_job_error").isVisible()


def test_a_result_takes_the_place_of_the_one_before(card: JobCard) -> None:
    first, second = QWidget(card), QWidget(card)
    card.show_result(first)
    assert first.isVisible()
    card.show_result(second)
    assert (first.isVisible(), second.isVisible()) == (False, True)
    card.show_result(None)
    assert not second.isVisible()
