"""The stack of messages: places, what is visible, what lies under a point."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PySide6.QtGui import QTextDocument

from rony_desktop.ui.chat.block import ShownMessage
from rony_desktop.ui.chat.item import GAP, Item, gap_between
from rony_desktop.ui.chat.piece import Look, Piece

TOP = 24.0
KEPT_DOCUMENTS = 400


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece with its place: top is in pixels from the start of the transcript."""

    index: int
    number: int
    item: Item
    piece: Piece
    top: float


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place that stays where it is while heights above it change."""

    index: int
    number: int
    offset: float


class Column:
    """Items from the oldest to the newest; make builds the document of a piece."""

    def __init__(self, make: Callable[[Item, Piece], QTextDocument]) -> None:
        self.items: list[Item] = []
        self.width = 0.0
        self._make = make
        self._tops: list[float] = [TOP]
        self._kept: OrderedDict[Piece, None] = OrderedDict()

    @property
    def height(self) -> float:
        """Height of everything."""
        return self._tops[-1]

    def reset(self, messages: list[ShownMessage]) -> None:
        """Show these messages and no others."""
        self._kept.clear()
        self.items = [Item(message) for message in messages]
        self.resize(self.width)

    def resize(self, width: float) -> None:
        """Take a new width; only what is seen is laid out again."""
        self.width = width
        for item in self.items:
            item.estimate(width)
        self.restack()

    def add(self, item: Item) -> None:
        """Put a message at the end."""
        item.estimate(self.width)
        before = next((known for known in reversed(self.items) if known.height), None)
        self.items.append(item)
        place = self._tops.pop() - (GAP if before else 0)
        self._put(item, before, place)

    def restack(self) -> None:
        """Sum the heights again."""
        self._tops = [TOP]
        before: Item | None = None
        for item in self.items:
            place = self._tops.pop() - (GAP if before else 0)
            self._put(item, before, place)
            before = item if item.height else before

    def _put(self, item: Item, before: Item | None, place: float) -> None:
        """Note where an item starts and ends; what shows nothing takes no room, nor a gap."""
        if item.height:
            place += gap_between(before, item)
        last = item if item.height else before
        self._tops += [place, place + item.height + (GAP if last else 0)]

    def drop_documents(self) -> None:
        """Forget every document, for a new theme."""
        for piece in self._kept:
            piece.document = None
            piece.exact = -1.0
        self._kept.clear()

    def drop_code(self) -> None:
        """Forget the documents of code, seen or not: their colours are known now."""
        for piece in self._kept:
            if piece.look is Look.CODE:
                piece.document = None

    def top(self, index: int) -> float:
        """Where a message starts."""
        return self._tops[index]

    def settle(self, top: float, bottom: float) -> bool:
        """Parse, build and measure what lies between; tell whether any height changed."""
        changed = False
        for index in range(self._index(top), len(self.items)):
            if self._tops[index] > bottom:
                break
            item = self.items[index]
            before = item.height
            item.prepare(self.width)
            item.stack()
            inside = [
                piece
                for piece, place in zip(item.pieces, item.tops, strict=True)
                if place + self._tops[index] <= bottom
                and place + piece.height + self._tops[index] >= top
            ]
            for piece in inside:
                self._measure(item, piece)
            item.stack()
            changed = changed or item.height != before
        if changed:
            self.restack()
        return changed

    def visible(self, top: float, bottom: float) -> Iterator[Placed]:
        """The pieces that lie between two heights, from above to below."""
        for index in range(self._index(top), len(self.items)):
            start = self._tops[index]
            if start > bottom:
                return
            item = self.items[index]
            for number, (piece, place) in enumerate(zip(item.pieces, item.tops, strict=False)):
                if start + place <= bottom and start + place + piece.height >= top:
                    yield Placed(index, number, item, piece, start + place)

    def anchor(self, y: float, bottom: float) -> Anchor:
        """A place to be found again later: the first one seen that was laid out, else the top."""
        for placed in self.visible(y, bottom):
            if placed.piece.measured(self.width):
                return Anchor(placed.index, placed.number, y - placed.top)
        index = self._index(y)
        if not self.items:
            return Anchor(0, 0, y)
        item, start = self.items[index], self._tops[index]
        number = max(0, bisect_right(item.tops, y - start) - 1)
        place = item.tops[number] if item.tops else 0.0
        return Anchor(index, number, y - start - place)

    def find(self, anchor: Anchor) -> float:
        """Where an anchor lies now."""
        if anchor.index >= len(self.items):
            return anchor.offset
        tops = self.items[anchor.index].tops
        place = tops[anchor.number] if anchor.number < len(tops) else 0.0
        return self._tops[anchor.index] + place + anchor.offset

    def document(self, item: Item, piece: Piece) -> QTextDocument:
        """The document of a piece, made where it was not."""
        if piece.document is None:
            self._measure(item, piece)
        assert piece.document is not None  # noqa: S101 - _measure has made it
        return piece.document

    def _measure(self, item: Item, piece: Piece) -> None:
        if not piece.has_text:
            return
        if piece.document is None:
            piece.document = self._make(item, piece)
            piece.exact = -1.0
        self._kept[piece] = None
        self._kept.move_to_end(piece)
        while len(self._kept) > KEPT_DOCUMENTS:
            self._kept.popitem(last=False)[0].document = None
        if not piece.measured(self.width):
            piece.measure(self.width)

    def _index(self, y: float) -> int:
        return min(max(0, bisect_right(self._tops, y) - 1), max(0, len(self.items) - 1))
