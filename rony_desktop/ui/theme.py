"""The theme: tokens of the moment, the palette and the fonts, following the system."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory

from rony_desktop.ui.stylesheet import stylesheet
from rony_desktop.ui.token import DARK, LIGHT, TYPE, Tokens


class ThemeMode(StrEnum):
    """Whose choice the theme is."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Theme(QObject):
    """Tokens and fonts for every widget; changed tells that they are others now."""

    changed = Signal()

    def __init__(self, mode: ThemeMode = ThemeMode.SYSTEM, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._mode = mode
        self._app: QApplication | None = None
        self._tokens = self._choose()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._refresh)

    @property
    def tokens(self) -> Tokens:
        """The colours to paint with now."""
        return self._tokens

    @property
    def mode(self) -> ThemeMode:
        """Whose choice the theme is."""
        return self._mode

    def set_mode(self, mode: ThemeMode) -> None:
        """Follow the system, or stay light or dark."""
        self._mode = mode
        self._refresh()

    def apply(self, app: QApplication) -> None:
        """Dress the whole application; later changes follow by themselves."""
        self._app = app
        app.setStyle(QStyleFactory.create("Fusion"))
        app.setFont(self.font("label"))
        app.setPalette(palette(self._tokens))
        app.setStyleSheet(stylesheet(self._tokens, families()))

    def font(self, size: str = "body", *, strong: bool = False, mono: bool = False) -> QFont:
        """A font of the type scale."""
        font = QFont(families()[1 if mono else 0])
        font.setPixelSize(TYPE["mono"] if mono else TYPE[size])
        font.setWeight(QFont.Weight.DemiBold if strong else QFont.Weight.Normal)
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        # "->" stays two characters and the x of 4x4.md an x: names are shown as they are written.
        font.setFeature(QFont.Tag("calt"), 0)
        return font

    def figures(self, size: str = "small") -> QFont:
        """A font whose figures are all equally wide, for numbers that change."""
        font = self.font(size)
        font.setFeature(QFont.Tag("tnum"), 1)
        return font

    def colour(self, role: str) -> QColor:
        """The colour of a role by its token's name."""
        return QColor(self._tokens.colour(role))

    def _choose(self) -> Tokens:
        if self._mode is ThemeMode.SYSTEM:
            scheme = QGuiApplication.styleHints().colorScheme()
            return DARK if scheme is Qt.ColorScheme.Dark else LIGHT
        return DARK if self._mode is ThemeMode.DARK else LIGHT

    def _refresh(self) -> None:
        tokens = self._choose()
        if tokens is self._tokens:
            return
        self._tokens = tokens
        if self._app is not None:
            self.apply(self._app)
        self.changed.emit()


@cache
def families() -> tuple[str, str]:
    """Names of the text and the code font: the program's own, else the system's."""
    folder = resources.files("resources") / "font"
    loaded: dict[str, str] = {}
    for name in ("Inter-Regular.otf", "Inter-SemiBold.otf"):
        loaded.setdefault("text", _load(folder.joinpath(name)))
    for name in ("JetBrainsMono-Regular.ttf", "JetBrainsMono-SemiBold.ttf"):
        loaded.setdefault("mono", _load(folder.joinpath(name)))
    system = QFontDatabase.systemFont
    return (
        loaded["text"] or system(QFontDatabase.SystemFont.GeneralFont).family(),
        loaded["mono"] or system(QFontDatabase.SystemFont.FixedFont).family(),
    )


def _load(font: Traversable) -> str:
    """Add a font, by its file where it has one: then no copy of it is held."""
    if isinstance(font, Path):
        number = QFontDatabase.addApplicationFont(str(font))
    else:
        number = QFontDatabase.addApplicationFontFromData(font.read_bytes())
    names = QFontDatabase.applicationFontFamilies(number)
    return names[0] if names else ""


def palette(tokens: Tokens) -> QPalette:
    """The tokens as Qt's palette, for what a style sheet does not reach."""
    roles = QPalette.ColorRole
    result = QPalette()
    for role, name in (
        (roles.Window, "window"),
        (roles.WindowText, "text"),
        (roles.Base, "surface"),
        (roles.AlternateBase, "sunken"),
        (roles.Text, "text"),
        (roles.Button, "surface"),
        (roles.ButtonText, "text"),
        (roles.BrightText, "danger"),
        (roles.ToolTipBase, "surface"),
        (roles.ToolTipText, "text"),
        (roles.PlaceholderText, "text3"),
        (roles.Highlight, "accent"),
        (roles.HighlightedText, "on_accent"),
        (roles.Link, "accent"),
        (roles.LinkVisited, "accent"),
        (roles.Light, "surface"),
        (roles.Midlight, "sunken"),
        (roles.Mid, "line"),
        (roles.Dark, "line"),
        (roles.Shadow, "line"),
        (roles.Accent, "accent"),
    ):
        result.setColor(role, QColor(tokens.colour(name)))
    for role in (roles.WindowText, roles.Text, roles.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, role, QColor(tokens.text3))
    return result
