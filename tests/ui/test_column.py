"""The stack of messages: places add up, anchors hold, few documents are kept."""

import pytest
from PySide6.QtGui import QTextDocument

from rony_desktop.ui.chat.block import ShownCall, ShownMessage
from rony_desktop.ui.chat.column import KEPT_DOCUMENTS, TOP, Column
from rony_desktop.ui.chat.item import GAP, Item
from rony_desktop.ui.chat.piece import Piece

pytestmark = pytest.mark.ui


def make(_item: Item, piece: Piece) -> QTextDocument:
    document = QTextDocument()
    document.setPlainText(piece.block.source)
    return document


@pytest.fixture
def column(qapp: object) -> Column:
    column = Column(make)
    column.resize(700)
    text = "\n\n".join(f"Paragraph {n}" for n in range(20))
    column.reset([ShownMessage(f"m{n}", "assistant", text) for n in range(50)])
    return column


def test_places_add_up(column: Column) -> None:
    column.settle(0, column.height)
    place = TOP
    for index, item in enumerate(column.items):
        assert column.top(index) == pytest.approx(place)
        place += item.height + GAP
    assert column.height == pytest.approx(place)


def test_only_what_is_asked_for_is_parsed(column: Column) -> None:
    column.settle(0, 300)
    assert column.items[0].ready
    assert not column.items[-1].ready


def test_an_anchor_is_found_after_heights_above_it_changed(column: Column) -> None:
    y = column.height / 2
    column.settle(y, y + 400)
    anchor = column.anchor(y, y + 400)
    before = next(iter(column.visible(y, y + 400)))
    column.settle(0, column.height / 3)
    now = column.find(anchor)
    after = next(iter(column.visible(now, now + 400)))
    assert now != y
    assert (after.index, after.number) == (before.index, before.number)
    assert after.top - now == pytest.approx(before.top - y)


def test_documents_are_dropped_when_there_are_too_many(column: Column) -> None:
    column.settle(0, column.height)
    while column.settle(0, column.height):
        pass
    pieces = [piece for item in column.items for piece in item.pieces]
    kept = [piece for piece in pieces if piece.document is not None]
    assert len(pieces) > KEPT_DOCUMENTS
    assert len(kept) == KEPT_DOCUMENTS
    assert all(piece.height > 0 for piece in pieces)


def test_an_empty_column(qapp: object) -> None:
    column = Column(make)
    column.resize(700)
    assert not column.settle(0, 500)
    assert list(column.visible(0, 500)) == []
    assert column.find(column.anchor(10, 400)) == 10


def test_what_shows_nothing_takes_neither_room_nor_gap(column: Column) -> None:
    call = ShownCall("c", "x", "wrench", "Run")
    calls = [ShownMessage(f"c{n}", "tool", call=call) for n in range(2)]
    empty = ShownMessage("e", "assistant", bare=True)
    messages = [ShownMessage("u", "user", "x"), empty, calls[0], empty, calls[1], empty]
    column.reset(messages)
    column.settle(0, 500)
    tops = [column.top(index) for index in range(len(messages))]
    user = column.items[0].height
    first = TOP + user + GAP
    assert tops == [TOP, TOP + user + 0, first, first + 28, first + 32, first + 60]
    assert column.height == first + 60 + GAP
    added = Column(make)
    added.resize(700)
    for message in messages:
        added.add(Item(message))
    added.settle(0, 500)
    assert [added.top(index) for index in range(len(messages))] == tops
    assert added.height == column.height
