"""The scrolling column: keeps its place, follows the end, paints only what is seen."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextDocument,
)
from PySide6.QtWidgets import QAbstractScrollArea, QPushButton, QWidget

from rony_desktop.ui.chat.column import Anchor, Column, Placed
from rony_desktop.ui.chat.document import DocumentMaker
from rony_desktop.ui.chat.highlight import Highlighter
from rony_desktop.ui.chat.item import Item
from rony_desktop.ui.chat.paint import PaintedWords, PiecePainter
from rony_desktop.ui.chat.piece import Look, Piece, column_width
from rony_desktop.ui.chat.selection import Selection
from rony_desktop.ui.chat.slot import CardSlot
from rony_desktop.ui.icon import icon
from rony_desktop.ui.theme import Theme

BOTTOM = 16
_STEP = 24
_NEAR = 4
_PASSES = 8
_KEYS = {
    Qt.Key.Key_Up: -1.0,
    Qt.Key.Key_Down: 1.0,
    Qt.Key.Key_PageUp: -0.9,
    Qt.Key.Key_PageDown: 0.9,
}


class ColumnView(QAbstractScrollArea):
    """A column of messages under a scroll bar; follows the end only while the user is there."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._highlighter = Highlighter(self)
        self._maker = DocumentMaker(theme, self._highlighter)
        words = PaintedWords(self.tr("Interrupted"), self.tr("Exact arguments"), self.tr("Result"))
        self._painter = PiecePainter(theme, words)
        self._column = Column(self._make)
        self._selection = Selection(self._column)
        self._follow = True
        self._moving = False
        self._ring = False
        self._anchor = Anchor(0, 0, 0.0)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.verticalScrollBar().setSingleStep(_STEP)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self._pill = self._make_pill()
        self._slot = CardSlot(self.viewport())
        self._slot.resized.connect(self._arrange)
        self._slot.reached.connect(self._to_part)
        theme.changed.connect(self._redress)
        self._highlighter.ready.connect(self._recolour)

    def _make_pill(self) -> QPushButton:
        pill = QPushButton(self.viewport())
        pill.setObjectName("jump_to_latest")
        pill.setProperty("look", "pill")
        pill.setIcon(icon(self._theme, "arrow-down", "text2", room=4))
        pill.setIconSize(QSize(20, 16))
        pill.setCursor(Qt.CursorShape.PointingHandCursor)
        pill.clicked.connect(self._pill_pressed)
        pill.hide()
        return pill

    @property
    def card(self) -> QWidget | None:
        """The widget at the end; None where there is none."""
        return self._slot.widget

    def show_card(self, widget: QWidget) -> None:
        """Put a widget at the end and bring it into sight; it stays its owner's."""
        self._slot.put(widget)
        self._to_card()

    def hide_card(self) -> None:
        """Take the widget away; it is only hidden, and may be shown again."""
        if self._slot.take() is not None:
            self._arrange()

    def _make(self, item: Item, piece: Piece) -> QTextDocument:
        match piece.look:
            case Look.CODE | Look.CALL_ARGUMENTS | Look.CALL_BODY:
                return self._maker.code(piece.block)
            case Look.PROSE | Look.QUOTE:
                return self._maker.prose(piece.block, item.references)
            case Look.THOUGHT | Look.NOTICE:
                return self._maker.plain(piece.block.source, "label")
            case _:
                lead = piece.look is Look.ERROR
                return self._maker.plain(piece.block.source, lead=lead)

    def _arrange(self) -> None:
        """Lay out what is seen and put the scroll bar where the reader was."""
        height = self.viewport().height()
        value = self._wanted(height)
        for _ in range(_PASSES):
            changed = self._column.settle(value, value + height)
            value = self._wanted(height)
            if not changed:
                break
        bar = self.verticalScrollBar()
        self._moving = True
        bar.setPageStep(max(_STEP, height - 2 * _STEP))
        bar.setRange(0, self._limit(height))
        bar.setValue(round(value))
        self._moving = False
        self._anchor = self._column.anchor(bar.value(), bar.value() + height)
        self._slot.place(self._left(), self._column.height - bar.value(), self._column.width)
        self._place_pill(height)
        self._arranged()
        self.viewport().update()

    def _arranged(self) -> None:
        """Follow up a new layout; the transcript puts its buttons here."""

    def _limit(self, height: int) -> int:
        card = self._slot.height(self._column.width)
        return max(0, round(self._column.height + card + BOTTOM - height))

    def _wanted(self, height: int) -> float:
        limit = self._limit(height)
        if self._follow:
            return limit
        return min(max(0.0, self._column.find(self._anchor)), limit)

    def _scrolled(self, value: int) -> None:
        if self._moving:
            return
        self._follow = value >= self.verticalScrollBar().maximum() - _NEAR
        self._anchor = self._column.anchor(value, value + self.viewport().height())
        self._arrange()

    def _to_end(self) -> None:
        self._follow = True
        self._arrange()
        self.setFocus()

    def _to_card(self) -> None:
        """Bring the card into sight: all of it, or its top where it is taller than the view."""
        self._follow = True
        height = self.viewport().height()
        if self._slot.height(self._column.width) > height:
            self._arrange()  # heights above are true now
            self._follow = False
            self._anchor = Anchor(len(self._column.items), 0, self._column.height - BOTTOM)
        self._arrange()

    def _to_part(self, place: QRect) -> None:
        """Bring a part of the card into sight."""
        beyond = max(0, place.bottom() + BOTTOM - self.viewport().height())
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + min(beyond, place.top() - BOTTOM))

    def _pill_pressed(self) -> None:
        if self._slot.widget is None:
            self._to_end()
        else:
            self._to_card()
            self.setFocus()

    def _place_pill(self, height: int) -> None:
        bar, waiting = self.verticalScrollBar(), not self._slot.in_sight()
        far = not self._follow and bar.maximum() - bar.value() > height / 4
        shown = waiting or (far and self._slot.widget is None)
        if shown:
            words = self.tr("Waiting for you") if waiting else self.tr("Jump to latest")
            tip = self.tr("Go to what you are asked")
            self._pill.setText(words)
            self._pill.setAccessibleName(words)
            self._pill.setToolTip(tip if waiting else self.tr("Jump to the newest words (End)"))
            size = self._pill.sizeHint()
            left = (self.viewport().width() - size.width()) // 2
            self._pill.setGeometry(left, height - 48, size.width(), max(32, size.height()))
            self._pill.raise_()
        self._pill.setVisible(shown)

    def _redress(self) -> None:
        self._column.drop_documents()
        self._pill.setIcon(icon(self._theme, "arrow-down", "text2", room=4))
        self._arrange()

    def _recolour(self) -> None:
        self._column.drop_code()
        self._arrange()

    def _seen(self) -> list[Placed]:
        value = self.verticalScrollBar().value()
        return list(self._column.visible(value, value + self.viewport().height()))

    def _left(self) -> float:
        return round((self.width() - self._column.width) / 2)

    def _box(self, placed: Placed) -> QRectF:
        """Where a piece is on the screen, its ground included."""
        piece, width = placed.piece, self._column.width
        left = self._left()
        if piece.look is Look.USER:
            inset = piece.inset
            text = piece.text_width(width)
            if piece.first and piece.last and piece.document is not None:
                text = piece.document.textWidth()
            bubble = text + inset.left + inset.right
            left, width = left + width - bubble, bubble
        top = round(placed.top - self.verticalScrollBar().value())
        return QRectF(left, top, width, piece.height)

    def _hit(self, point: QPoint) -> tuple[Placed, int] | None:
        """The piece and character nearest to a point."""
        best: Placed | None = None
        y = point.y()
        for placed in self._seen():
            if not placed.piece.selectable:
                continue
            if best is not None and self._box(placed).top() > y:
                break
            best = placed
        if best is None:
            return None
        if not best.piece.has_text:
            return best, int(QPointF(point).y() > self._box(best).center().y())
        document = self._column.document(best.item, best.piece)
        local = self._local(best, point)
        character = document.documentLayout().hitTest(local, Qt.HitTestAccuracy.FuzzyHit)
        return best, max(0, character)

    def _local(self, placed: Placed, point: QPoint) -> QPointF:
        box, inset = self._box(placed), placed.piece.inset
        return QPointF(point) - QPointF(box.left() + inset.left, box.top() + inset.top)

    def _link(self, point: QPoint) -> str:
        hit = self._hit(point)
        if hit is None or not hit[0].piece.has_text:
            return ""
        if not self._box(hit[0]).contains(QPointF(point)):
            return ""
        document = self._column.document(hit[0].item, hit[0].piece)
        return document.documentLayout().anchorAt(self._local(hit[0], point))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint what is seen."""
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.viewport().rect(), self._theme.colour("surface"))
        for placed in self._seen():
            document = placed.piece.document
            length = document.characterCount() - 1 if document is not None else 1
            selected = self._selection.range(placed, length)
            self._painter.draw(painter, placed, self._box(placed), selected)
        if self._ring:
            painter.setPen(QPen(self._theme.colour("accent"), 2))
            painter.drawRoundedRect(QRectF(self.viewport().rect()).adjusted(3, 3, -3, -3), 6, 6)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the new width; the words being read stay where they are."""
        super().resizeEvent(event)
        width = column_width(self.width())
        if width != self._column.width:
            self._column.resize(width)
        self._arrange()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll by arrows, pages, Home and End."""
        bar = self.verticalScrollBar()
        key = Qt.Key(event.key())
        if key in _KEYS and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            share = _KEYS[key]
            step = share * (_STEP * 2 if abs(share) == 1 else self.viewport().height())
            bar.setValue(bar.value() + round(step))
        elif key == Qt.Key.Key_Home:
            bar.setValue(0)
        elif key == Qt.Key.Key_End:
            self._to_end()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the ring when the keyboard brought the focus."""
        super().focusInEvent(event)
        self._ring = event.reason() in {
            Qt.FocusReason.TabFocusReason,
            Qt.FocusReason.BacktabFocusReason,
        }
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the ring away."""
        super().focusOutEvent(event)
        self._ring = False
        self.viewport().update()
