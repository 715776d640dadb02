"""The well of exact text: whole, escaped, monospaced, as high as it needs."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontInfo, QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.ui.approval.escape import RETURN
from rony_desktop.ui.approval.text import HEIGHT, ExactText
from rony_desktop.ui.theme import Theme, families

pytestmark = pytest.mark.ui


@pytest.fixture
def text(theme: Theme, qtbot: QtBot) -> Iterator[ExactText]:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(600, 400)
    text = ExactText(theme, "Arguments", window)
    text.resize(500, 200)
    window.show()
    qtbot.waitExposed(window)
    yield text
    assert not window.windowTitle()


def test_text_is_escaped_plain_and_monospaced(text: ExactText, qtbot: QtBot) -> None:
    text.show_text('<b>{"a": "\u202e"}</b>\n')
    assert text.toPlainText() == '<b>{"a": "\\u202e"}</b>' + RETURN + "\n"
    font = text.document().firstBlock().begin().fragment().charFormat().font()
    assert QFontInfo(font).family() == families()[1]
    assert text.accessibleName() == "Arguments"
    text.selectAll()
    text.copy()
    assert QGuiApplication.clipboard().text().startswith("<b>")
    qtbot.keyClicks(text, "typed")
    assert "typed" not in text.toPlainText()


def test_a_text_that_begins_with_an_empty_line_keeps_it(text: ExactText, qtbot: QtBot) -> None:
    text.show_text("")
    assert text.toPlainText() == ""
    text.show_text("\n" * 250)
    qtbot.waitUntil(lambda: text.document().blockCount() == 251)


@pytest.mark.parametrize("line", ["{}", "x" * 150, "x" * 390, "\u65e5" * 40])
def test_a_short_text_needs_no_scrolling(text: ExactText, qtbot: QtBot, line: str) -> None:
    text.show_text(line)
    text.resize(500, text.heightForWidth(500))
    with qtbot.waitSignal(text.endSeen):
        text.show_text(line)
    assert text.verticalScrollBar().maximum() == 0
    assert text.sizeHint().height() == text.height()
    assert text.minimumSizeHint().height() <= text.height()


def test_a_long_text_is_seen_at_its_end_only(text: ExactText, qtbot: QtBot) -> None:
    text.show_text("x" * 4_000)
    text.viewport().repaint()
    assert not text.seen
    assert text.heightForWidth(500) == pytest.approx(HEIGHT, abs=20)
    with qtbot.waitSignal(text.endSeen):
        qtbot.keyClick(text, Qt.Key.Key_End)
    qtbot.keyClick(text, Qt.Key.Key_Home)
    assert text.verticalScrollBar().value() == 0
    qtbot.keyClick(text, Qt.Key.Key_Down)
    assert text.seen
