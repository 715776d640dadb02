"""Buttons of the window: one with only an icon, and the looks the style sheet knows."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

from rony_desktop.ui.icon import icon
from rony_desktop.ui.theme import Theme

StateLook = Literal["off", "busy", "ready", "error"]

_ROLES: dict[StateLook, str] = {"off": "text3", "busy": "warn", "ready": "ok", "error": "danger"}


class IconButton(QToolButton):
    """A button that is only an icon; its label is read aloud and shown as a tooltip."""

    def __init__(
        self, theme: Theme, sign: str, label: str, tip: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._sign = sign
        self.setAccessibleName(label)
        self.setToolTip(tip or label)
        self.setIconSize(QSize(20, 20))
        self.setFixedSize(32, 32)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._tint()
        theme.changed.connect(self._tint)

    def _tint(self) -> None:
        self.setIcon(icon(self._theme, self._sign, "text2", 20))


def push_button(text: str, look: str, name: str, parent: QWidget | None = None) -> QPushButton:
    """A button with a look of the style sheet; name is its object name."""
    button = QPushButton(text, parent)
    button.setObjectName(name)
    button.setProperty("look", look)
    button.setAccessibleName(text)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    return button


def page_button(
    text: str, look: str, name: str, parent: QWidget | None = None, height: int = 32
) -> QPushButton:
    """A push button of a page in a dialog: Enter in the page's fields and lists never means it."""
    button = push_button(text, look, name, parent)
    button.setFixedHeight(height)
    button.setAutoDefault(False)
    return button


def state_icon(theme: Theme, state: StateLook) -> QIcon:
    """A dot for a state; its shape differs as well as its colour."""
    result = QIcon()
    colour = theme.colour(_ROLES[state])
    for ratio in (1.0, 2.0):
        picture = QPixmap(round(12 * ratio), round(12 * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour, 1.5))
        if state == "error":
            painter.drawLine(3, 3, 9, 9)
            painter.drawLine(9, 3, 3, 9)
        else:
            painter.setBrush(colour if state == "ready" else Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QRectF(2.5, 2.5, 7, 7))
        if state == "busy":
            painter.setBrush(colour)
            painter.drawPie(QRectF(2.5, 2.5, 7, 7), 90 * 16, -180 * 16)
        painter.end()
        result.addPixmap(picture)
    return result
