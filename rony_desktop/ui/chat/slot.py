"""The place at the end of the transcript for one real widget, such as a card that asks."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QWidget

_BY_KEY = {
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
}
_SEEN = 64  # pixels of a card that must be in sight for it to count as seen


class CardSlot(QObject):
    """Keeps a widget's room and place; it is a child of the viewport while it is shown.

    resized tells that the widget wants another height; reached that a key led to a part of it, with
    its place in the viewport.
    """

    resized = Signal()
    reached = Signal(QRect)

    def __init__(self, viewport: QWidget) -> None:
        super().__init__(viewport)
        self._viewport = viewport
        self._widget: QWidget | None = None
        self._before: QWidget | None = None

    @property
    def widget(self) -> QWidget | None:
        """What is shown now."""
        return self._widget

    def put(self, widget: QWidget) -> None:
        """Hold this widget instead of what was held; it stays its owner's in all but place."""
        if widget is self._widget:
            return
        self.take()
        self._widget, self._before = widget, None
        widget.setParent(self._viewport)
        widget.installEventFilter(self)
        widget.destroyed.connect(self._lost)
        widget.show()

    def take(self) -> QWidget | None:
        """Hide the widget and hold nothing; it may be put again."""
        widget, self._widget = self._widget, None
        if widget is not None:
            widget.destroyed.disconnect(self._lost)
            widget.removeEventFilter(self)
            widget.hide()
        return widget

    def height(self, width: float) -> int:
        """The room it needs in a column of this width."""
        widget = self._widget
        if widget is None:
            return 0
        if widget.hasHeightForWidth():
            return widget.heightForWidth(round(width))
        return widget.sizeHint().height()

    def place(self, left: float, top: float, width: float) -> None:
        """Lay it out; the top is in pixels of the viewport and may be out of sight."""
        if self._widget is not None:
            box = QRect(round(left), round(top), round(width), self.height(width))
            if self._widget.geometry() != box:
                self._widget.setGeometry(box)

    def in_sight(self) -> bool:
        """Whether enough of it is seen to be noticed; true where there is nothing to see."""
        if self._widget is None:
            return True
        seen = self._widget.geometry().intersected(self._viewport.rect()).height()
        return seen >= min(_SEEN, self._widget.height())

    def order(self, before: QWidget) -> None:
        """Let Tab come to its parts after a widget, in the order in which they were made."""
        if self._widget is None or before is self._before:
            return
        self._before = before
        # Not by nextInFocusChain: PySide makes what it returns a child of the part that was asked,
        # and once that part is destroyed takes the viewport, which lives on, for destroyed too.
        window = self._widget.window()
        for part in self._widget.findChildren(QWidget):
            # Next to a part that takes no focus Qt leaves the order as it is.
            if part.window() is window and part.focusPolicy() & Qt.FocusPolicy.TabFocus:
                QWidget.setTabOrder(before, part)
                part.installEventFilter(self)
                before = part

    def _lost(self) -> None:
        """The owner destroyed it while it was shown."""
        self._widget = None
        self.resized.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice that its contents want another height, or that a key led to a part of it."""
        if event.type() is QEvent.Type.LayoutRequest and watched is self._widget:
            self._before = None  # it may have new parts
            self.resized.emit()
        if isinstance(event, QFocusEvent) and event.gotFocus() and event.reason() in _BY_KEY:
            self._reach(watched)
        return False

    def _reach(self, part: QObject) -> None:
        held = self._widget
        if held is not None and isinstance(part, QWidget) and held.isAncestorOf(part):
            place = part.mapTo(self._viewport, QPoint())
            self.reached.emit(QRect(place, part.size()))
