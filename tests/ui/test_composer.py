"""The composer: keys, one place for Send and Stop, words only."""

import time
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, Qt
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.ui.chat.composer import Composer
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui


@pytest.fixture
def composer(theme: Theme, qtbot: QtBot) -> Iterator[Composer]:
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    column.addStretch(1)
    composer = Composer(theme, window)
    column.addWidget(composer)
    window.resize(800, 600)
    window.show()
    yield composer


def field(composer: Composer) -> QPlainTextEdit:
    found = composer.findChild(QPlainTextEdit, "composer_text")
    assert isinstance(found, QPlainTextEdit)
    return found


def button(composer: Composer, name: str) -> QPushButton:
    found = composer.findChild(QPushButton, name)
    assert isinstance(found, QPushButton)
    return found


def test_enter_sends_and_keeps_the_words(composer: Composer, qtbot: QtBot) -> None:
    qtbot.keyClicks(field(composer), "hello")
    with qtbot.waitSignal(composer.sendRequested) as caught:
        qtbot.keyClick(field(composer), Qt.Key.Key_Return)
    assert caught.args == ["hello"]
    assert composer.text() == "hello"


def test_shift_enter_breaks_the_line(composer: Composer, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(composer.sendRequested):
        qtbot.keyClicks(field(composer), "a")
        qtbot.keyClick(field(composer), Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        qtbot.keyClicks(field(composer), "b")
    assert composer.text().replace("\u2028", "\n") == "a\nb"


@pytest.mark.parametrize("text", ["", "   ", "\n\n"])
def test_nothing_is_not_sent(composer: Composer, qtbot: QtBot, text: str) -> None:
    composer.set_text(text)
    with qtbot.assertNotEmitted(composer.sendRequested):
        qtbot.keyClick(field(composer), Qt.Key.Key_Return)
    assert not button(composer, "send_button").isEnabled()


def test_enter_while_composing_a_word_sends_nothing(composer: Composer, qtbot: QtBot) -> None:
    composer.set_text("kon")
    QApplication.sendEvent(field(composer), QInputMethodEvent("\u3053\u3093", []))
    with qtbot.assertNotEmitted(composer.sendRequested):
        qtbot.keyClick(field(composer), Qt.Key.Key_Return)
    QApplication.sendEvent(field(composer), QInputMethodEvent("", []))
    with qtbot.waitSignal(composer.sendRequested):
        qtbot.keyClick(field(composer), Qt.Key.Key_Return)


def test_send_and_stop_are_in_one_place(composer: Composer, qtbot: QtBot) -> None:
    composer.set_text("hello")
    send, stop = button(composer, "send_button"), button(composer, "stop_button")
    before = (send.mapTo(composer, QPoint(0, 0)), send.size())
    assert send.isVisible()
    assert not stop.isVisible()
    composer.set_busy(True)
    assert not send.isVisible()
    assert (stop.mapTo(composer, QPoint(0, 0)), stop.size()) == before
    with qtbot.waitSignal(composer.stopRequested):
        qtbot.mouseClick(stop, Qt.MouseButton.LeftButton)
    composer.set_busy(False)
    assert send.isVisible()


def test_busy_sends_nothing_and_escape_stops(composer: Composer, qtbot: QtBot) -> None:
    composer.set_text("next question")
    composer.set_busy(True)
    with qtbot.assertNotEmitted(composer.sendRequested):
        qtbot.keyClick(field(composer), Qt.Key.Key_Return)
    with qtbot.waitSignal(composer.stopRequested):
        qtbot.keyClick(field(composer), Qt.Key.Key_Escape)
    composer.set_busy(False)
    with qtbot.assertNotEmitted(composer.stopRequested):
        qtbot.keyClick(field(composer), Qt.Key.Key_Escape)


def test_paste_takes_words_only(composer: Composer) -> None:
    data = QMimeData()
    data.setHtml("<h1>Big</h1>")
    data.setText("Big")
    field(composer).insertFromMimeData(data)
    assert composer.text() == "Big"
    picture = QMimeData()
    picture.setImageData(b"x")
    field(composer).insertFromMimeData(picture)
    assert composer.text() == "Big"


def test_it_grows_to_a_share_of_the_window(composer: Composer, qtbot: QtBot) -> None:
    one = field(composer).height()
    composer.set_text("a\nb\nc")
    three = field(composer).height()
    composer.set_text("line\n" * 200)
    most = field(composer).height()
    assert one < three < most
    assert most <= composer.window().height() * 0.4
    composer.clear()
    assert field(composer).height() == one


def test_drafts_are_reported(composer: Composer, qtbot: QtBot) -> None:
    with qtbot.waitSignal(composer.draftChanged) as caught:
        composer.set_text("draft")
    assert caught.args == ["draft"]


def test_buttons_have_names(composer: Composer) -> None:
    assert button(composer, "send_button").accessibleName() == "Send"
    assert button(composer, "stop_button").accessibleName() == "Stop"
    assert "Esc" in button(composer, "stop_button").toolTip()
    assert field(composer).accessibleName() == "Message"


def test_a_run_without_a_space_does_not_stall(composer: Composer) -> None:
    pasted = QMimeData()
    pasted.setText("x" * 300_000)
    begun = time.thread_time()
    field(composer).insertFromMimeData(pasted)
    composer.set_text("x" * 300_000)
    # Word wrap took 3 s for each of these.
    assert time.thread_time() - begun < 2
    assert len(composer.text()) == 300_000


def test_a_key_that_is_held_sends_nothing(composer: Composer, qtbot: QtBot) -> None:
    """Enter that answered a card may still be down when the cursor comes here."""
    qtbot.keyClicks(field(composer), "draft")
    held = QKeyEvent(
        QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r", True
    )
    with qtbot.assertNotEmitted(composer.sendRequested):
        QApplication.sendEvent(field(composer), held)
    assert composer.text() == "draft"
