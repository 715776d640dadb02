"""Whether the end of a scrolled text was on the screen."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractScrollArea, QScrollBar, QWidget


class EndWatch(QObject):
    """Tells once the last line of an area that is complete was painted where it can be seen.

    painted is what draws the text: the viewport, or what lies on it.
    """

    came = Signal()
    _passed = Signal()

    def __init__(self, area: QAbstractScrollArea, painted: QWidget) -> None:
        super().__init__(area)
        self._area = area
        self._painted = painted
        self._complete = False
        self.seen = False
        painted.installEventFilter(self)
        # A paint is no time to change other widgets.
        self._passed.connect(self.came, Qt.ConnectionType.QueuedConnection)

    def reset(self) -> None:
        """Another text begins."""
        self._complete = self.seen = False

    def complete(self, whole: bool = True) -> None:
        """Tell whether the whole text is there now."""
        self._complete = whole
        self._painted.update()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Look where the area stands whenever it is painted."""
        if event.type() == QEvent.Type.Paint and self._complete and not self.seen:
            bar = self._area.verticalScrollBar()
            bottom = self._painted.visibleRegion().boundingRect().bottom()
            if bar.value() >= bar.maximum() and bottom >= self._painted.height() - 1:
                self.seen = True
                self._passed.emit()
        return False


def go_by_key(bar: QScrollBar, event: QKeyEvent) -> bool:
    """Go to the beginning by Home and to the end by End; tell whether it was one of them."""
    places = {Qt.Key.Key_Home: bar.minimum(), Qt.Key.Key_End: bar.maximum()}
    place = places.get(Qt.Key(event.key()))
    if place is None:
        return False
    bar.setValue(place)
    return True
