"""Selecting across blocks and messages, and what reaches the clipboard."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from rony_desktop.ui.chat.block import ShownCall, ShownMessage
from rony_desktop.ui.chat.transcript import TranscriptView
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui


@pytest.fixture
def view(theme: Theme, qtbot: QtBot) -> TranscriptView:
    view = TranscriptView(theme)
    qtbot.addWidget(view)
    view.resize(800, 700)
    view.show()
    view.setFocus()
    view.open(
        [
            ShownMessage("u1", "user", "My question"),
            ShownMessage(
                "a1", "assistant", "First **bold** words.\n\n```py\nx = 1\n```\n\nLast words."
            ),
        ]
    )
    return view


def edge(view: TranscriptView, number: int, *, right: bool) -> QPoint:
    seen = [placed for placed in view._seen() if placed.piece.has_text]
    placed = seen[number]
    box, inset = view._box(placed), placed.piece.inset
    x = box.right() - inset.right if right else box.left() + inset.left
    y = (box.bottom() - inset.bottom - 4) if right else (box.top() + inset.top + 4)
    return QPoint(round(x), round(y))


def drag(view: TranscriptView, qtbot: QtBot, start: QPoint, stop: QPoint) -> str:
    port = view.viewport()
    qtbot.mousePress(port, Qt.MouseButton.LeftButton, pos=start)
    middle = (start + stop) / 2
    for point in (middle, stop):
        view.mouseMoveEvent(_move(view, point))
    qtbot.mouseRelease(port, Qt.MouseButton.LeftButton, pos=stop)
    QGuiApplication.clipboard().clear()
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    return QGuiApplication.clipboard().text()


def _move(view: TranscriptView, point: QPoint):
    from PySide6.QtCore import QEvent, QPointF
    from PySide6.QtGui import QMouseEvent

    return QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(point),
        QPointF(view.viewport().mapToGlobal(point)),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )


def test_one_block(view: TranscriptView, qtbot: QtBot) -> None:
    text = drag(view, qtbot, edge(view, 1, right=False), edge(view, 1, right=True))
    assert text == "First bold words."


def test_across_blocks(view: TranscriptView, qtbot: QtBot) -> None:
    text = drag(view, qtbot, edge(view, 1, right=False), edge(view, 3, right=True))
    assert text == "First bold words.\nx = 1\nLast words."


def test_across_messages_and_backwards(view: TranscriptView, qtbot: QtBot) -> None:
    text = drag(view, qtbot, edge(view, 1, right=True), edge(view, 0, right=False))
    assert text == "My question\n\nFirst bold words."


def test_a_part_of_a_block(view: TranscriptView, qtbot: QtBot) -> None:
    start = edge(view, 1, right=False)
    text = drag(view, qtbot, start, start + QPoint(30, 0))
    assert text
    assert "First bold words.".startswith(text)
    assert len(text) < 10


def test_select_all(view: TranscriptView, qtbot: QtBot) -> None:
    qtbot.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    text = QGuiApplication.clipboard().text()
    assert text == "My question\n\nFirst bold words.\nx = 1\nLast words."


def test_the_selection_is_painted_and_a_click_ends_it(view: TranscriptView, qtbot: QtBot) -> None:
    plain = view.viewport().grab().toImage()
    drag(view, qtbot, edge(view, 1, right=False), edge(view, 3, right=True))
    assert view.viewport().grab().toImage() != plain
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=edge(view, 1, right=False))
    assert view.viewport().grab().toImage() == plain


def test_copy_without_a_selection_leaves_the_clipboard(view: TranscriptView, qtbot: QtBot) -> None:
    QGuiApplication.clipboard().setText("mine")
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "mine"


def test_a_selection_outlives_streaming(view: TranscriptView, qtbot: QtBot) -> None:
    drag(view, qtbot, edge(view, 1, right=False), edge(view, 1, right=True))
    view.begin(ShownMessage("a2", "assistant"))
    view.append("New text.\n\nAnd more.")
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "First bold words."


def test_a_double_click_selects_a_word(view: TranscriptView, qtbot: QtBot) -> None:
    place = edge(view, 1, right=False) + QPoint(6, 0)
    qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "First"


@pytest.mark.qt_log_ignore("does not support", extend=True)
def test_the_menu_copies(view: TranscriptView, qtbot: QtBot) -> None:
    drag(view, qtbot, edge(view, 1, right=False), edge(view, 1, right=True))
    QGuiApplication.clipboard().clear()
    place = QPoint(100, 100)
    reason = QContextMenuEvent.Reason.Mouse
    view.contextMenuEvent(QContextMenuEvent(reason, place, view.mapToGlobal(place)))
    menu = view.findChild(QMenu, "transcript_menu")
    assert isinstance(menu, QMenu)
    menu.actions()[0].trigger()
    menu.close()
    assert QGuiApplication.clipboard().text() == "First bold words."


@pytest.fixture
def called(view: TranscriptView) -> TranscriptView:
    call = ShownCall("c", "x", "wrench", "Read", "a.md", "1 ms", result="what is in it")
    view.open(
        [
            ShownMessage("u1", "user", "My question"),
            ShownMessage("c", "tool", call=call),
            ShownMessage("d", "tool", call=ShownCall("d", "x", "wrench", "Running")),
        ]
    )
    return view


def test_all_takes_the_lines_of_calls_along(called: TranscriptView, qtbot: QtBot) -> None:
    qtbot.keyClick(called, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(called, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = "My question\n\nRead a.md · 1 ms\n\nRunning"
    assert QGuiApplication.clipboard().text() == lines
    called._column.items[1].folded = False
    called._column.items[1].reframe(called._column.width)
    called._copy()
    assert "Read a.md · 1 ms\nwhat is in it" in QGuiApplication.clipboard().text()


def test_a_drag_ends_before_or_after_the_line_of_a_call(
    called: TranscriptView, qtbot: QtBot
) -> None:
    start = edge(called, 0, right=False)
    boxes = [called._box(placed) for placed in called._seen()]
    last = boxes[-1].toRect()
    plain = called.viewport().grab().toImage()
    above = drag(called, qtbot, start, QPoint(last.left() + 200, last.top() + 2))
    assert above == "My question\n\nRead a.md · 1 ms"
    below = drag(called, qtbot, start, QPoint(last.left() + 200, last.bottom() - 2))
    assert below == "My question\n\nRead a.md · 1 ms\n\nRunning"
    assert called.viewport().grab().toImage() != plain


def test_the_line_of_a_call_is_no_word_and_no_link(called: TranscriptView, qtbot: QtBot) -> None:
    place = called._box(called._seen()[-1]).center().toPoint()
    qtbot.mouseDClick(called.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert not called._selection.active
    qtbot.mouseMove(called.viewport(), place)
    assert called.viewport().cursor().shape() is Qt.CursorShape.ArrowCursor
