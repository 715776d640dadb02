"""A list to choose one from, drawn from the tokens."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QRect, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from rony_desktop.ui.icon import pixmap
from rony_desktop.ui.theme import Theme

_ICON = 16


class ChoiceBox(QComboBox):
    """Shows one of some values by its words; changed tells the value the user chose."""

    changed = Signal(object)

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName(name)
        self.setFixedHeight(32)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumContentsLength(8)
        self.activated.connect(lambda index: self.changed.emit(self.itemData(index)))
        theme.changed.connect(self.update)

    def show_values(self, values: Mapping[str, str], chosen: str) -> None:
        """Show the values with their words, one of them chosen, without telling of it."""
        if [self.itemData(index) for index in range(self.count())] != list(values):
            with QSignalBlocker(self):
                self.clear()
                for value, words in values.items():
                    self.addItem(words, value)
        self.setCurrentIndex(self.findData(chosen))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave it to the page."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the arrow in the theme's colour, which a style sheet cannot."""
        super().paintEvent(event)
        painter = QPainter(self)
        ratio = self.devicePixelRatioF()
        picture = pixmap(self._theme, "chevron-down", "text2", _ICON, ratio)
        top = (self.height() - _ICON) // 2
        area = QRect(self.width() - _ICON - 8, top, _ICON, _ICON)
        if self.layoutDirection() is Qt.LayoutDirection.RightToLeft:
            area.moveLeft(8)
        painter.drawPixmap(area, picture)
        painter.end()
