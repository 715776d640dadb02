"""A piece is what the transcript stacks: a block with its document, or a line of the frame."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtGui import QTextDocument

from rony_desktop.ui.chat.block import Block, BlockKind
from rony_desktop.ui.token import COLUMN, LINE_HEIGHT, STRIP, TYPE


class Look(StrEnum):
    """How a piece is drawn."""

    PROSE = "prose"
    QUOTE = "quote"
    CODE = "code"
    RULE = "rule"
    USER = "user"
    THOUGHT_HEAD = "thought_head"
    THOUGHT = "thought"
    CALL_HEAD = "call_head"
    CALL_ARGUMENTS = "call_arguments"
    CALL_BODY = "call_body"
    ERROR = "error"
    NOTICE = "notice"
    FOOT = "foot"


@dataclass(frozen=True, slots=True)
class Inset:
    """Space between a piece's edge and its text, in pixels."""

    left: int = 0
    top: int = 0
    right: int = 0
    bottom: int = 0


_INSETS = {
    Look.CODE: Inset(16, STRIP + 12, 16, 12),
    Look.CALL_ARGUMENTS: Inset(16, STRIP + 12, 16, 12),
    Look.CALL_BODY: Inset(16, STRIP + 12, 16, 12),
    Look.USER: Inset(16, 6, 16, 10),
    Look.THOUGHT: Inset(left=16),
    Look.ERROR: Inset(44, 14, 16, 16),
    Look.NOTICE: Inset(24, 4, 0, 4),
}
_FIXED = {Look.THOUGHT_HEAD: 28.0, Look.CALL_HEAD: 28.0, Look.FOOT: 24.0, Look.RULE: 17.0}
_GAPS = {Look.FOOT: 8, Look.THOUGHT: 4, Look.CALL_ARGUMENTS: 4, Look.CALL_BODY: 4}
MONO = frozenset({Look.CODE, Look.CALL_ARGUMENTS, Look.CALL_BODY})
_BUTTON_ROW = 44
_LOOKS = {
    BlockKind.CODE: Look.CODE,
    BlockKind.MATH: Look.CODE,
    BlockKind.PLAIN: Look.CODE,
    BlockKind.QUOTE: Look.QUOTE,
    BlockKind.RULE: Look.RULE,
}
_CHARACTER = 7.4  # mean width of a character of the body, for estimates


@dataclass(slots=True, eq=False)
class Piece:
    """One piece of a message; document is made when it is first seen and may be dropped."""

    look: Look
    block: Block
    head: str = ""
    button: str = ""
    first: bool = True
    last: bool = True
    height: float = 0.0
    exact: float = -1.0
    document: QTextDocument | None = None

    @property
    def has_text(self) -> bool:
        """Whether the piece holds a document."""
        return self.look not in _FIXED

    @property
    def selectable(self) -> bool:
        """Whether the piece holds words that can be selected; a call's line is taken whole."""
        return self.has_text or self.look is Look.CALL_HEAD

    @property
    def inset(self) -> Inset:
        """Space around the text; parts of a longer block touch each other."""
        inset = _INSETS.get(self.look, Inset())
        top = inset.top if self.first else 0
        bottom = inset.bottom if self.last else 0
        if self.look is Look.ERROR and self.button:
            bottom += _BUTTON_ROW
        return Inset(inset.left, top, inset.right, bottom)

    def measured(self, column: float) -> bool:
        """Whether the height is true for a column of this width."""
        return not self.has_text or self.exact == column

    def text_width(self, column: float) -> float:
        """Room for a line of text in a column of this width."""
        if self.look is Look.USER:
            column = column * 0.8
        return max(40.0, column - self.inset.left - self.inset.right)

    def estimate(self, column: float) -> None:
        """Guess the height from the number of characters."""
        if self.look in _FIXED:
            self.height = _FIXED[self.look]
            return
        lines = guess_lines(self.block.source, self.text_width(column))
        line = TYPE["mono"] * 1.35 if self.look in MONO else TYPE["body"] * LINE_HEIGHT / 100
        self.height = lines * line + self.inset.top + self.inset.bottom

    def measure(self, column: float) -> None:
        """Lay the document out for a column of this width and take its true height."""
        if self.document is None:
            return
        width = self.text_width(column)
        self.document.setTextWidth(width)
        if self.look is Look.USER and self.first and self.last:
            self.document.setTextWidth(min(width, self.document.idealWidth() + 1))
        self.exact = column
        self.height = self.document.size().height() + self.inset.top + self.inset.bottom


def look_of(block: Block) -> Look:
    """How a block of an answer is drawn."""
    return _LOOKS.get(block.kind, Look.PROSE)


def gap_before(piece: Piece, before: Piece | None) -> int:
    """Pixels between two pieces of a message."""
    if before is None or not piece.first:
        return 0
    if piece.look in _GAPS:
        return _GAPS[piece.look]
    if _is_heading(piece):
        return 24
    if _is_heading(before):
        return 8
    return 16 if before.look is Look.CODE else 12


def _is_heading(piece: Piece) -> bool:
    return piece.look is Look.PROSE and piece.block.kind is BlockKind.HEADING


def guess_lines(text: str, width: float) -> float:
    """About how many lines a text takes; counts, never measures."""
    return max(1.0, text.count("\n") + len(text) * _CHARACTER / max(width, 40.0) * 0.9)


def column_width(view: float) -> float:
    """Width of the reading column in a view of this width."""
    return max(200.0, min(float(COLUMN), view - 48))
