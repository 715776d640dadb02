"""Buttons over the transcript: there while in sight, gone after, the same while it stays."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from rony_desktop.ui.chat.block import ShownCall, ShownMessage
from rony_desktop.ui.chat.transcript import TranscriptView
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
CODE = "text\n\n```py\nx = 1\n```\n\n" + "filler paragraph\n\n" * 60


@pytest.fixture
def view(theme: Theme, qtbot: QtBot) -> TranscriptView:
    view = TranscriptView(theme)
    qtbot.addWidget(view)
    view.resize(800, 400)
    view.show()
    return view


def buttons(view: TranscriptView) -> list[QPushButton]:
    found = view.viewport().findChildren(QPushButton, "copy_code")
    return [button for button in found if button.isVisible()]


def test_buttons_come_and_go_with_their_block(view: TranscriptView) -> None:
    view.open([ShownMessage("a", "assistant", CODE)])
    assert buttons(view) == []
    view.scroll_to(0)
    assert len(buttons(view)) == 1
    view.scroll_to(1)
    assert buttons(view) == []


def test_a_button_stays_the_same_while_text_streams(view: TranscriptView) -> None:
    view.begin(ShownMessage("a", "assistant"))
    view.append("```py\nx = 1\n")
    first = buttons(view)
    view.append("y = 2\n```\n\nmore")
    view.plain_text()
    view._arrange()
    assert buttons(view) == first
    assert isValid(first[0])


def test_it_lies_inside_the_strip_of_its_block(view: TranscriptView) -> None:
    view.open([ShownMessage("a", "assistant", "```py\nx = 1\n```")])
    (button,) = buttons(view)
    box = view._box(view._seen()[0])
    assert box.toRect().contains(button.geometry())
    assert button.geometry().bottom() < box.top() + 28


def test_names_for_those_who_listen(view: TranscriptView, qtbot: QtBot) -> None:
    view.open([ShownMessage("a", "assistant", "```py\nx = 1\n```")])
    (button,) = buttons(view)
    assert button.accessibleName() == "Copy code"
    assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert button.accessibleDescription() == "Copied"
    qtbot.waitUntil(lambda: button.accessibleDescription() == "", timeout=4000)


def test_tab_goes_through_them_from_top_to_bottom(view: TranscriptView, qtbot: QtBot) -> None:
    view.open([ShownMessage("a", "assistant", "```py\nx = 1\n```\n\n```py\ny = 1\n```")])
    view.activateWindow()
    qtbot.waitUntil(view.isActiveWindow)
    view.setFocus()
    order = []
    for _ in range(3):
        focus = view.window().focusWidget()
        qtbot.keyClick(focus, Qt.Key.Key_Tab)
        order.append(view.window().focusWidget())
    top, bottom = sorted(buttons(view), key=lambda button: button.y())
    assert order[:2] == [top, bottom]
    assert order[2].objectName() == "copy_message"


def test_the_focus_stays_in_the_conversation_when_a_button_leaves(
    view: TranscriptView, qtbot: QtBot
) -> None:
    view.open([ShownMessage("a", "assistant", CODE)])
    view.scroll_to(0)
    view.activateWindow()
    qtbot.waitUntil(view.isActiveWindow)
    (button,) = buttons(view)
    button.setFocus()
    view.scroll_to(1)
    assert view.window().focusWidget() is view


def test_a_button_says_what_its_call_says_now(view: TranscriptView, qtbot: QtBot) -> None:
    call = ShownCall("c", "x", "wrench", "Read", "a.md", result="x")
    view.add_call(call)
    button = view.viewport().findChild(QPushButton, "call")
    assert isinstance(button, QPushButton)
    assert button.accessibleName() == "Read a.md"
    view.set_call(replace(call, note="failed"))
    qtbot.waitUntil(lambda: button.accessibleName() == "Read a.md · failed")
    assert "failed" in button.toolTip()
