"""Selected text across messages."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QTextCursor

from rony_desktop.ui.chat.column import Column, Placed
from rony_desktop.ui.chat.item import Item
from rony_desktop.ui.chat.piece import Piece


@dataclass(frozen=True, slots=True, order=True)
class Spot:
    """A place in the text: message, piece, character."""

    index: int
    number: int
    character: int


_END = 1 << 60


class Selection:
    """From where the mouse went down to where it is."""

    def __init__(self, column: Column) -> None:
        self._column = column
        self._anchor: Spot | None = None
        self._cursor: Spot | None = None

    @property
    def active(self) -> bool:
        """Whether any text is selected."""
        return self._anchor is not None and self._anchor != self._cursor

    def clear(self) -> None:
        """Select nothing."""
        self._anchor = self._cursor = None

    def start(self, spot: Spot) -> None:
        """Begin at a place."""
        self._anchor = self._cursor = spot

    def extend(self, spot: Spot) -> None:
        """Go on to a place."""
        if self._anchor is not None:
            self._cursor = spot

    def select_all(self) -> None:
        """Select every word."""
        self._anchor = Spot(0, 0, 0)
        self._cursor = Spot(len(self._column.items), 0, 0)

    def range(self, placed: Placed, length: int) -> tuple[int, int]:
        """First and last selected character of a piece of this length; equal: none."""
        return self._range(placed.index, placed.number, length)

    def text(self) -> str:
        """The selected words; messages are a blank line apart."""
        if not self.active:
            return ""
        first, last = self._bounds()
        parts: list[str] = []
        for index in range(first.index, min(last.index + 1, len(self._column.items))):
            item = self._column.items[index]
            item.prepare(self._column.width)
            words = [self._words(index, n, item, piece) for n, piece in enumerate(item.pieces)]
            joined = "\n".join(word for word in words if word)
            if joined:
                parts.append(joined)
        return "\n\n".join(parts)

    def _words(self, index: int, number: int, item: Item, piece: Piece) -> str:
        if not piece.selectable:
            return ""
        first, last = self._bounds()
        end = _END if piece.has_text else 0
        if first < Spot(index, number, 1) and last > Spot(index, number, end):
            return item.piece_text(piece)
        if not piece.has_text:
            return ""
        document = self._column.document(item, piece)
        start, stop = self._range(index, number, document.characterCount() - 1)
        cursor = QTextCursor(document)
        cursor.setPosition(start)
        cursor.setPosition(stop, QTextCursor.MoveMode.KeepAnchor)
        return cursor.selectedText().replace("\u2029", "\n").replace("\u2028", "\n")

    def _bounds(self) -> tuple[Spot, Spot]:
        anchor, cursor = self._anchor or Spot(0, 0, 0), self._cursor or Spot(0, 0, 0)
        return min(anchor, cursor), max(anchor, cursor)

    def _range(self, index: int, number: int, length: int) -> tuple[int, int]:
        if not self.active:
            return 0, 0
        first, last = self._bounds()
        here = (index, number)
        if here < (first.index, first.number) or here > (last.index, last.number):
            return 0, 0
        start = first.character if here == (first.index, first.number) else 0
        stop = last.character if here == (last.index, last.number) else length
        return min(start, length), min(stop, length)
