"""Line icons, tinted from the tokens and drawn for the screen's pixel ratio."""

from __future__ import annotations

from functools import cache
from importlib import resources

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from rony_desktop.ui.theme import Theme

_RATIOS = (1.0, 2.0)


def icon(theme: Theme, name: str, role: str = "text2", size: int = 16, room: int = 0) -> QIcon:
    """An icon in the colour of a role; ask again when the theme has changed.

    room is left free at its right: Qt puts a button's words 2 pixels beside its icon.
    """
    return _icon(name, theme.tokens.colour(role), size, room)


def app_icon() -> QIcon:
    """The program's own icon, in its own colours."""
    result = QIcon()
    for size in (16, 32, 48, 128):
        result.addPixmap(_pixmap("rony", "", size, 1.0))
    return result


def pixmap(theme: Theme, name: str, role: str, size: int, ratio: float) -> QPixmap:
    """One picture of an icon, for painting by hand."""
    return _pixmap(name, theme.tokens.colour(role), size, ratio)


@cache
def _icon(name: str, colour: str, size: int, room: int) -> QIcon:
    result = QIcon()
    for ratio in _RATIOS:
        result.addPixmap(_pixmap(name, colour, size, ratio, room))
    return result


@cache
def _pixmap(name: str, colour: str, size: int, ratio: float, room: int = 0) -> QPixmap:
    picture = QPixmap(round((size + room) * ratio), round(size * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    source = _source(name).replace("currentColor", colour)
    renderer = QSvgRenderer(QByteArray(source.encode()))
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return picture


@cache
def _source(name: str) -> str:
    text = (resources.files("resources") / "icon" / f"{name}.svg").read_text("utf-8")
    # 24-unit drawings shrunk to 16 px: a slightly finer pen keeps them light.
    return text.replace('stroke-width="2"', 'stroke-width="1.75"')
