"""Pieces: their room, their distance, their guessed and true height."""

import pytest
from PySide6.QtGui import QTextDocument

from rony_desktop.ui.chat.block import Block, BlockKind
from rony_desktop.ui.chat.piece import Look, Piece, column_width, gap_before, guess_lines

pytestmark = pytest.mark.ui


def piece(look: Look, kind: BlockKind = BlockKind.TEXT, source: str = "x") -> Piece:
    return Piece(look, Block(0, kind, source))


def test_the_column_has_a_limit() -> None:
    assert [column_width(width) for width in (300, 720, 2000)] == [252, 672, 760]


def test_distances_are_on_the_scale() -> None:
    prose, code = piece(Look.PROSE), piece(Look.CODE, BlockKind.CODE)
    head = piece(Look.PROSE, BlockKind.HEADING)
    foot = piece(Look.FOOT)
    pairs = [
        (prose, None),
        (prose, prose),
        (head, prose),
        (prose, head),
        (prose, code),
        (foot, prose),
    ]
    assert [gap_before(after, before) for after, before in pairs] == [0, 12, 24, 8, 16, 8]


def test_joined_parts_touch() -> None:
    first, second = piece(Look.CODE), piece(Look.CODE)
    first.last, second.first = False, False
    assert gap_before(second, first) == 0
    assert first.inset.bottom == second.inset.top == 0
    assert first.inset.top > 28


def test_true_height_is_the_documents(qapp: object) -> None:
    quote = piece(Look.USER, source="word " * 200)
    quote.document = QTextDocument()
    quote.document.setDocumentMargin(0)
    quote.document.setPlainText(quote.block.source)
    quote.measure(500)
    inset = quote.inset
    assert quote.height == quote.document.size().height() + inset.top + inset.bottom
    assert quote.document.textWidth() <= 400 - inset.left - inset.right


def test_longer_text_takes_more_lines() -> None:
    assert guess_lines("", 700) == 1
    assert guess_lines("a\nb\nc", 700) < guess_lines("a\nb\nc\nd\ne", 700)
    assert guess_lines("word " * 100, 300) > guess_lines("word " * 100, 700)


def test_a_calls_line_is_selected_without_a_document() -> None:
    line, result = piece(Look.CALL_HEAD), piece(Look.CALL_BODY)
    assert (line.has_text, line.selectable) == (False, True)
    assert (result.has_text, result.selectable) == (True, True)
    assert not piece(Look.FOOT).selectable
    assert gap_before(result, line) == 4
    line.estimate(700)
    assert line.height == 28
