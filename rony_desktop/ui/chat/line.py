"""The line of a tool call laid out: what of its words fits, and where they end."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics

from rony_desktop.ui.chat.block import ShownCall
from rony_desktop.ui.dot import DOT, joined
from rony_desktop.ui.theme import Theme

LEFT = 24  # the sign and its gap
_CHEVRON = 24
_SPACE = 6


@dataclass(frozen=True, slots=True)
class Word:
    """A part of the line: its text as it fits, and from where to where, in pixels."""

    text: str
    left: int
    width: int

    @property
    def right(self) -> int:
        """Where it ends."""
        return self.left + self.width


@dataclass(frozen=True, slots=True)
class CallLine:
    """The parts of a line from left to right."""

    verb: Word
    object: Word
    note: Word

    @property
    def right(self) -> int:
        """Where the words end; the chevron stands there."""
        return max(self.verb.right, self.object.right, self.note.right)


def call_line(theme: Theme, call: ShownCall, width: float) -> CallLine:
    """Lay a call out: the verb whole, the object without its middle, the note without its end."""
    plain = QFontMetrics(theme.font("label"))
    figures = QFontMetrics(theme.figures("label"))
    room = int(width) - LEFT - _CHEVRON
    verb = _word(plain, call.verb, LEFT, room // 2, Qt.TextElideMode.ElideRight)
    note = joined((call.duration, call.note))
    note = f"{DOT.lstrip()}{note}" if note else ""
    object_wants = _wants(plain, call.object)
    note_wants = _wants(figures, note)
    left = room - verb.width - 2 * _SPACE
    note_room = max(left - object_wants, min(note_wants, left // 2))
    middle = Qt.TextElideMode.ElideMiddle
    object_room = max(0, left - min(note_wants, note_room))
    object_ = _word(
        plain, call.object, verb.right + _SPACE * bool(call.object), object_room, middle
    )
    start = object_.right + _SPACE * bool(note)
    return CallLine(
        verb, object_, _word(figures, note, start, note_room, Qt.TextElideMode.ElideRight)
    )


def _wants(metrics: QFontMetrics, text: str) -> int:
    """Room in which a text is not elided; advances are rounded down."""
    return metrics.horizontalAdvance(text) + 2 if text else 0


def _word(metrics: QFontMetrics, text: str, left: int, room: int, mode: Qt.TextElideMode) -> Word:
    fitting = metrics.elidedText(text, mode, room) if text else ""
    return Word(fitting, left, metrics.horizontalAdvance(fitting))
