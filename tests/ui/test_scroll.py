"""Scrolling: the end is followed only while the reader is there, and nothing jumps."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from rony_desktop.ui.chat.block import ShownMessage
from rony_desktop.ui.chat.piece import Look
from rony_desktop.ui.chat.transcript import TranscriptView
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
LONG = "\n\n".join(f"Paragraph {n} with some words in it, enough for a line." for n in range(60))


@pytest.fixture
def view(theme: Theme, qtbot: QtBot) -> TranscriptView:
    view = TranscriptView(theme)
    qtbot.addWidget(view)
    view.resize(800, 500)
    view.show()
    view.open([ShownMessage(f"m{n}", "assistant", LONG) for n in range(6)])
    return view


def wheel(view: TranscriptView, steps: int) -> None:
    event = QWheelEvent(
        QPointF(50, 50),
        QPointF(view.mapToGlobal(QPoint(50, 50))),
        QPoint(),
        QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.viewport(), event)


def at_end(view: TranscriptView) -> bool:
    return view.verticalScrollBar().value() == view.verticalScrollBar().maximum()


def top_words(view: TranscriptView) -> tuple[str, str, int]:
    """The message and the block at the top, and how far it is scrolled out."""
    seen = next(p for p in view._seen() if p.piece.has_text)
    return seen.item.message.id, seen.piece.block.source, round(view._box(seen).top())


def stream(view: TranscriptView, text: str) -> None:
    view.append(text)
    view.plain_text()
    view._arrange()


def test_opens_at_the_end_and_follows_it(view: TranscriptView) -> None:
    assert at_end(view)
    view.begin(ShownMessage("live", "assistant"))
    for number in range(30):
        stream(view, f"Line {number}\n\n")
        assert at_end(view)


def test_one_wheel_step_stops_following_and_what_is_read_stays(view: TranscriptView) -> None:
    view.begin(ShownMessage("live", "assistant"))
    stream(view, LONG)
    wheel(view, 3)
    before = top_words(view)
    for number in range(30):
        stream(view, f"\n\nMore {number}")
        assert top_words(view) == before
    assert not at_end(view)


def test_coming_back_to_the_end_follows_again(view: TranscriptView) -> None:
    view.begin(ShownMessage("live", "assistant"))
    wheel(view, 5)
    wheel(view, -50)
    assert at_end(view)
    stream(view, LONG)
    assert at_end(view)


def test_the_pill_brings_the_end_back(view: TranscriptView, qtbot: QtBot) -> None:
    pill = view.findChild(QPushButton, "jump_to_latest")
    assert isinstance(pill, QPushButton)
    assert not pill.isVisible()
    view.scroll_to(0.2)
    assert pill.isVisible()
    qtbot.mouseClick(pill, Qt.MouseButton.LeftButton)
    assert at_end(view)
    assert not pill.isVisible()


def test_scrolling_up_through_unread_messages_never_jumps(view: TranscriptView) -> None:
    previous = None
    for _ in range(150):
        wheel(view, 1)
        seen = {
            (p.index, p.number): round(view._box(p).top()) for p in view._seen() if p.piece.has_text
        }
        if previous is not None and view.verticalScrollBar().value() > 0:
            moved = {seen[key] - previous[key] for key in seen.keys() & previous.keys()}
            assert moved <= {72} or all(abs(m - 72) <= 1 for m in moved)
        previous = seen


def test_resizing_keeps_the_words_being_read(view: TranscriptView) -> None:
    view.scroll_to(0.5)
    message, source, _ = top_words(view)
    for width in (780, 600, 500, 640, 800):
        view.resize(width, 500)
        now = top_words(view)
        assert now[:2] == (message, source)


def test_resizing_at_the_end_stays_there(view: TranscriptView) -> None:
    for size in ((600, 300), (900, 700)):
        view.resize(*size)
        assert at_end(view)


@pytest.mark.parametrize(
    ("key", "up"),
    [
        (Qt.Key.Key_Up, True),
        (Qt.Key.Key_Down, False),
        (Qt.Key.Key_PageUp, True),
        (Qt.Key.Key_PageDown, False),
    ],
)
def test_keys_scroll(view: TranscriptView, qtbot: QtBot, key: Qt.Key, up: bool) -> None:
    view.scroll_to(0.5)
    before = top_words(view)
    value = view.verticalScrollBar().value()
    qtbot.keyClick(view, key)
    assert top_words(view) != before
    assert (view.verticalScrollBar().value() < value) is up


def test_home_and_end(view: TranscriptView, qtbot: QtBot) -> None:
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert view.verticalScrollBar().value() == 0
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert at_end(view)


def test_scroll_to_the_ends(view: TranscriptView) -> None:
    view.scroll_to(0.0)
    assert top_words(view)[0] == "m0"
    view.scroll_to(1.0)
    assert at_end(view)


def test_the_reading_column_is_centred_and_never_too_wide(view: TranscriptView) -> None:
    for width in (400, 720, 800, 1200, 1600):
        view.resize(width, 500)
        box = view._box(view._seen()[0])
        assert box.width() <= 760
        assert abs(box.left() - (width - box.right())) <= 1


def test_only_what_is_seen_has_a_document(view: TranscriptView) -> None:
    for share in (0.0, 0.3, 0.6, 1.0):
        view.scroll_to(share)
    pieces = [piece for item in view._column.items for piece in item.pieces]
    assert sum(piece.document is not None for piece in pieces) < len(pieces) / 2


def test_code_that_was_read_out_of_sight_comes_back_coloured(
    view: TranscriptView, qtbot: QtBot
) -> None:
    code = "".join(f"out_of_sight = {number}\n" for number in range(60))
    view.open([ShownMessage("a", "assistant", f"```python\n{code}```\n\n{LONG}")])
    view.scroll_to(0)
    with qtbot.waitSignal(view._highlighter.ready, timeout=5000):
        view.scroll_to(1)
    view.scroll_to(0)
    view.grab()
    document = next(p.piece.document for p in view._seen() if p.piece.look is Look.CODE)
    assert document is not None
    assert document.begin().layout().formats()
