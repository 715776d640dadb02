"""The foot of the list: a model, a folder that is away, the question before a deletion."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from rony_desktop.contract.model import ModelRef
from rony_desktop.contract.removal import Removal
from rony_desktop.ui.installed.detail import Detail
from rony_desktop.ui.installed.presenter import Asked
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
ONE = ModelRef("llamacpp", "one", Path("/m/one.gguf"), 1 << 30)
ASKED = Asked(ONE, Removal((Path("/m/one.gguf"),), 1 << 30, ours=True, linked=False), in_use=False)


@pytest.fixture
def detail(theme: Theme, qtbot: QtBot) -> Detail:
    detail = Detail(theme)
    qtbot.addWidget(detail)
    detail.resize(520, 160)
    detail.show()
    detail.show_model("one", "~/one.gguf", current=False, usable=True)
    return detail


def test_the_buttons_ask_for_what_they_say(detail: Detail, child: Find, qtbot: QtBot) -> None:
    for name, asked in (
        ("use", detail.useRequested),
        ("plan", detail.planRequested),
        ("reveal", detail.revealRequested),
        ("delete", detail.deleteRequested),
    ):
        with qtbot.waitSignal(asked):
            child(detail, QPushButton, f"installed_{name}").click()


def test_a_model_in_use_is_not_used_again(detail: Detail, child: Find) -> None:
    detail.show_model("one", "~/one.gguf", current=True, usable=True)
    use = child(detail, QPushButton, "installed_use")
    assert (use.text(), use.isEnabled()) == ("In use", False)
    detail.show_model("two", "~/two.gguf", current=False, usable=False)
    assert (use.text(), use.isEnabled()) == ("Use", False)
    assert not child(detail, QPushButton, "installed_plan").isEnabled()


def test_a_folder_that_is_away_is_looked_for_again(
    detail: Detail, child: Find, qtbot: QtBot
) -> None:
    before = detail.sizeHint().height()
    detail.show_away("Not there now: /usb", "Plug it in.")
    assert not child(detail, QPushButton, "installed_use").isVisible()
    assert detail.sizeHint().height() == before
    with qtbot.waitSignal(detail.lookRequested):
        child(detail, QPushButton, "installed_again_there").click()


def test_a_deletion_waits_for_an_answer(detail: Detail, child: Find, qtbot: QtBot) -> None:
    qtbot.waitUntil(detail.isActiveWindow)
    detail.show_asked(ASKED)
    assert detail.is_asking()
    assert child(detail, QLabel, "installed_question").text() == "Delete one?"
    keep = child(detail, QPushButton, "installed_keep")
    assert keep.hasFocus()
    with qtbot.waitSignal(detail.removeRequested):
        child(detail, QPushButton, "installed_remove").click()
    with qtbot.waitSignal(detail.keepRequested):
        keep.click()
    detail.show_asked(None)
    assert not detail.is_asking()


def test_what_cannot_be_deleted_has_no_button_for_it(detail: Detail, child: Find) -> None:
    detail.show_asked(Asked(ONE, ASKED.removal, in_use=True))
    assert not child(detail, QPushButton, "installed_remove").isVisible()
    assert child(detail, QPushButton, "installed_keep").text() == "Close"
