"""The banner: one cause, one remedy, one button."""

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from rony_desktop.contract.error import HubUnreachable
from rony_desktop.ui.banner import Banner
from rony_desktop.ui.card import ErrorText
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
Find = Callable[..., Any]


def test_banner_has_one_button_and_can_be_dismissed(
    theme: Theme, qtbot: QtBot, child: Find
) -> None:
    banner = Banner(theme)
    qtbot.addWidget(banner)
    assert not banner.isVisible()
    banner.show_error(ErrorText("<i>Cause</i>.", "Remedy.", "Do it", "open_log"))
    sentence = child(banner, QLabel, "banner_sentence")
    assert (sentence.text(), sentence.textFormat()) == ("<i>Cause</i>.", Qt.TextFormat.PlainText)
    with qtbot.waitSignal(banner.actionTriggered) as caught:
        qtbot.mouseClick(child(banner, QPushButton, "banner_action"), Qt.MouseButton.LeftButton)
    assert caught.args == ["open_log"]
    with qtbot.waitSignal(banner.dismissed):
        qtbot.mouseClick(child(banner, QToolButton, "banner_dismiss"), Qt.MouseButton.LeftButton)
    assert not banner.isVisible()
    banner.show_error(ErrorText("Only a cause."), "info")
    assert not child(banner, QPushButton, "banner_action").isVisible()


def test_what_went_wrong_in_a_page_is_tried_again(theme: Theme, qtbot: QtBot, child: Find) -> None:
    banner = Banner(theme)
    qtbot.addWidget(banner)
    failure = HubUnreachable(host="hub", detail="cut").failure()
    banner.show_failure(failure)
    button = child(banner, QPushButton, "banner_action")
    assert (banner.isVisible(), button.text()) == (True, "Try again")
    banner.show_failure(failure, again=False)
    assert not button.isVisible()
    banner.show_failure(None)
    assert not banner.isVisible()
