"""The wizard shows where it stands, and its buttons ask for what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.contract.download import DownloadState
from rony_desktop.contract.error import Action, HubUnreachable, NoModel
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.wizard.presenter import Page, WizardState
from rony_desktop.ui.wizard.view import WizardDialog
from tests.fixture.wizard import COMPUTER, ENTRY, GB, NOTHING, SUGGESTION, download

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
FOUND = WizardState(computer=COMPUTER)
CHOOSE = replace(FOUND, page=Page.CHOOSE, suggestion=SUGGESTION)
GETTING = replace(
    CHOOSE, page=Page.DOWNLOAD, entry=ENTRY, download=download(DownloadState.RUNNING, GB)
)
TUNE = replace(GETTING, page=Page.TUNE)


@pytest.fixture
def dialog(theme: Theme, qtbot: QtBot) -> Iterator[WizardDialog]:
    window = QWidget()
    qtbot.addWidget(window)
    dialog = WizardDialog(theme, window)
    dialog.show()
    yield dialog


def texts(dialog: WizardDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())


def press(dialog: WizardDialog, name: str) -> None:
    button = dialog.findChild(QPushButton, f"wizard_{name}")
    assert isinstance(button, QPushButton)
    assert button.isVisible()
    button.click()


def test_what_was_found_is_shown_and_enter_goes_on(
    dialog: WizardDialog, qtbot: QtBot, child: Find
) -> None:
    assert child(dialog, QPushButton, "wizard_first").hasFocus()
    dialog.show_state(FOUND)
    qtbot.waitUntil(lambda: "A card" in texts(dialog))
    assert "Step 1 of 4" in texts(dialog)


@pytest.mark.parametrize(
    ("state", "button", "signal"),
    [
        (FOUND, "first", "nextRequested"),
        (FOUND, "second", "closed"),
        (CHOOSE, "first", "otherRequested"),
        (CHOOSE, "second", "backRequested"),
        (GETTING, "first", "closed"),
        (GETTING, "second", "cancelRequested"),
        (TUNE, "first", "nextRequested"),
        (TUNE, "second", "skipRequested"),
        (replace(TUNE, page=Page.READY), "first", "closed"),
    ],
)
def test_its_buttons(
    dialog: WizardDialog, qtbot: QtBot, state: WizardState, button: str, signal: str
) -> None:
    dialog.show_state(state)
    with qtbot.waitSignal(getattr(dialog, signal)):
        press(dialog, button)


def test_a_suggestion_is_chosen(dialog: WizardDialog, qtbot: QtBot, child: Find) -> None:
    dialog.show_state(CHOOSE)
    with qtbot.waitSignal(dialog.chosen) as told:
        child(dialog, QPushButton, "suggestion_balanced_get").click()
    assert told.args == [ENTRY]
    dialog.show_state(replace(CHOOSE, busy=True))
    assert not child(dialog, QPushButton, "suggestion_balanced_get").isEnabled()


def test_where_nothing_fits_it_says_so(dialog: WizardDialog) -> None:
    dialog.show_state(replace(CHOOSE, suggestion=NOTHING))
    assert "None of the models" in texts(dialog)


def test_a_download_shows_how_far_it_is_then_that_the_model_is_loaded(
    dialog: WizardDialog,
) -> None:
    dialog.show_state(GETTING)
    assert "of 2.0" in texts(dialog)
    dialog.show_state(replace(GETTING, busy=True))
    assert "Loading the model" in texts(dialog)


def test_tuning_shows_its_runs(dialog: WizardDialog, child: Find) -> None:
    dialog.show_state(replace(TUNE, busy=True, runs=(2, 5)))
    assert "run 3 of 5" in texts(dialog)
    assert not child(dialog, QPushButton, "wizard_first").isEnabled()


def test_an_error_has_its_button(dialog: WizardDialog, qtbot: QtBot, child: Find) -> None:
    failure = HubUnreachable(host="hub", detail="cut").failure()
    dialog.show_state(replace(GETTING, failure=failure))
    assert "hub cannot be reached" in texts(dialog)
    with qtbot.waitSignal(dialog.retryRequested):
        child(dialog, QPushButton, "banner_action").click()
    dialog.show_state(replace(GETTING, failure=NoModel(folder="/m").failure()))
    with qtbot.waitSignal(dialog.actionRequested) as told:
        child(dialog, QPushButton, "banner_action").click()
    assert told.args == [Action.CHOOSE_MODEL]
    dialog.show_state(GETTING)
    assert "cannot be reached" not in texts(dialog)


def test_every_button_has_a_name(dialog: WizardDialog) -> None:
    for state in (FOUND, CHOOSE, GETTING, TUNE):
        dialog.show_state(state)
        buttons = [each for each in dialog.findChildren(QPushButton) if each.isVisible()]
        assert buttons
        assert all(each.accessibleName() for each in buttons)
