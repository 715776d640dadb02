"""Painting of pieces; the only place that knows how a piece looks."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QFont,
    QPainter,
    QPainterPath,
    QPalette,
    QTextCharFormat,
    QTextCursor,
)

from rony_desktop.ui.chat.block import CallState, ShownCall, ShownStatus
from rony_desktop.ui.chat.column import Placed
from rony_desktop.ui.chat.line import Word, call_line
from rony_desktop.ui.chat.piece import Look, Piece
from rony_desktop.ui.icon import pixmap
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.token import RADIUS, STRIP

_TEXT = {Look.THOUGHT: "text2", Look.NOTICE: "text2", Look.QUOTE: "text2"}
_GROUND = {
    Look.CODE: "code",
    Look.CALL_ARGUMENTS: "code",
    Look.CALL_BODY: "code",
    Look.USER: "sunken",
    Look.ERROR: "surface",
}
# By state: the sign, "" for the tool's own, the colour of the sign and of the note.
_SIGNS = {
    CallState.QUEUED: ("", "text3", "text3"),
    CallState.WAITING: ("hand", "accent", "accent"),
    CallState.RUNNING: ("", "accent", "accent"),
    CallState.DONE: ("", "text3", "text3"),
    CallState.FAILED: ("circle-alert", "danger", "danger"),
    CallState.REFUSED: ("ban", "text3", "text2"),
    CallState.NOT_RUN: ("circle-slash", "text3", "text2"),
    CallState.INTERRUPTED: ("triangle-alert", "warn", "warn"),
}


@dataclass(frozen=True, slots=True)
class PaintedWords:
    """Words of the painter's own, translated."""

    interrupted: str
    arguments: str
    result: str


class PiecePainter:
    """Draws pieces of a column whose left edge is at x."""

    def __init__(self, theme: Theme, words: PaintedWords) -> None:
        self._theme = theme
        self._words = words

    def draw(
        self, painter: QPainter, placed: Placed, box: QRectF, selected: tuple[int, int]
    ) -> None:
        """Draw one piece; box is its place on the screen, selected a range of characters."""
        piece = placed.piece
        if piece.look in _GROUND:
            self._ground(painter, piece, box)
        self._frame(painter, placed, box)
        if piece.look is Look.CALL_HEAD and placed.item.message.call:
            if selected[0] != selected[1]:
                painter.fillRect(box, self._theme.colour("accent_soft"))
            self._call(painter, placed.item.message.call, box)
        self._text(painter, piece, box, selected)

    def _frame(self, painter: QPainter, placed: Placed, box: QRectF) -> None:
        """Draw what is around the text of a piece."""
        piece = placed.piece
        match piece.look:
            case Look.QUOTE | Look.THOUGHT:
                bar = QRectF(box.left(), box.top(), 3, box.height())
                painter.fillRect(bar, self._theme.colour("line"))
            case Look.RULE:
                middle = QRectF(box.left(), round(box.center().y()), box.width(), 1)
                painter.fillRect(middle, self._theme.colour("line"))
            case Look.NOTICE:
                self._icon(painter, "info", "text3", box.left(), box.top() + 6)
            case Look.ERROR:
                self._icon(painter, "circle-alert", "danger", box.left() + 16, box.top() + 18)
            case Look.FOOT:
                self._foot(painter, placed, box)
            case Look.CODE | Look.CALL_ARGUMENTS | Look.CALL_BODY:
                names = {
                    Look.CALL_ARGUMENTS: self._words.arguments,
                    Look.CALL_BODY: self._words.result,
                }
                self._strip(painter, piece, box, names.get(piece.look, piece.block.language))

    def _ground(self, painter: QPainter, piece: Piece, box: QRectF) -> None:
        radius = RADIUS["card"]
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        path.addRoundedRect(box, radius, radius)
        half = box.height() / 2
        if not piece.first:
            path.addRect(box.adjusted(0, 0, 0, -half))
        if not piece.last:
            path.addRect(box.adjusted(0, half, 0, 0))
        painter.fillPath(path, self._theme.colour(_GROUND[piece.look]))
        if piece.look is Look.ERROR:
            painter.setPen(self._theme.colour("danger"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)

    def _call(self, painter: QPainter, call: ShownCall, box: QRectF) -> None:
        sign, colour, note = _SIGNS[call.state]
        self._icon(painter, sign or call.icon, colour, box.left(), box.top() + 6)
        line = call_line(self._theme, call, box.width())
        label, figures = self._theme.font("label"), self._theme.figures("label")
        self._word(painter, line.verb, box, label, "text2")
        self._word(painter, line.object, box, label, "text")
        self._word(painter, line.note, box, figures, note)

    def _word(self, painter: QPainter, word: Word, box: QRectF, font: QFont, role: str) -> None:
        painter.setFont(font)
        painter.setPen(self._theme.colour(role))
        place = QRectF(box.left() + word.left, box.top(), word.width + 1, box.height())
        side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place, side | Qt.TextFlag.TextSingleLine, word.text)

    def _strip(self, painter: QPainter, piece: Piece, box: QRectF, title: str) -> None:
        if not piece.first:
            return
        painter.setPen(self._theme.colour("text3"))
        painter.setFont(self._theme.font("small"))
        place = QRectF(box.left() + 16, box.top(), box.width() / 2, STRIP)
        words = painter.fontMetrics().elidedText(
            title, Qt.TextElideMode.ElideRight, int(place.width())
        )
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
        line = QRectF(box.left(), box.top() + STRIP, box.width(), 1)
        painter.fillRect(line, self._theme.colour("line"))

    def _foot(self, painter: QPainter, placed: Placed, box: QRectF) -> None:
        message = placed.item.message
        painter.setFont(self._theme.figures())
        place = box.adjusted(28 if message.role == "assistant" and message.text else 0, 0, 0, 0)
        side = Qt.AlignmentFlag.AlignRight if message.role == "user" else Qt.AlignmentFlag.AlignLeft
        if message.status is ShownStatus.INTERRUPTED:
            painter.setPen(self._theme.colour("warn"))
            painter.drawText(place, side | Qt.AlignmentFlag.AlignVCenter, self._words.interrupted)
            width = painter.fontMetrics().horizontalAdvance(self._words.interrupted) + 12
            place.adjust(width, 0, 0, 0)
        painter.setPen(self._theme.colour("text3"))
        words = painter.fontMetrics().elidedText(
            placed.piece.head, Qt.TextElideMode.ElideRight, int(place.width())
        )
        painter.drawText(place, side | Qt.AlignmentFlag.AlignVCenter, words)

    def _icon(self, painter: QPainter, name: str, role: str, x: float, y: float) -> None:
        ratio = painter.device().devicePixelRatioF()
        painter.drawPixmap(QPointF(x, y), pixmap(self._theme, name, role, 16, ratio))

    def _text(
        self, painter: QPainter, piece: Piece, box: QRectF, selected: tuple[int, int]
    ) -> None:
        document = piece.document
        if document is None:
            return
        context = QAbstractTextDocumentLayout.PaintContext()
        colour = self._theme.colour(_TEXT.get(piece.look, "text"))
        context.palette.setColor(QPalette.ColorRole.Text, colour)
        if selected[0] != selected[1]:
            context.selections = [self._mark(piece, selected)]
        painter.save()
        painter.translate(box.left() + piece.inset.left, box.top() + piece.inset.top)
        document.documentLayout().draw(painter, context)
        painter.restore()

    def _mark(
        self, piece: Piece, selected: tuple[int, int]
    ) -> QAbstractTextDocumentLayout.Selection:
        mark = QAbstractTextDocumentLayout.Selection()
        cursor = QTextCursor(piece.document)  # type: ignore[arg-type]
        cursor.setPosition(selected[0])
        cursor.setPosition(selected[1], QTextCursor.MoveMode.KeepAnchor)
        form = QTextCharFormat()
        form.setBackground(self._theme.colour("accent"))
        form.setForeground(self._theme.colour("on_accent"))
        mark.cursor, mark.format = cursor, form
        return mark
