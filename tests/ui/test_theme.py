"""The theme: follows the system or the user, and brings its fonts."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from rony_desktop.ui.label import plain_label
from rony_desktop.ui.theme import Theme, ThemeMode, families, palette
from rony_desktop.ui.token import DARK, LIGHT, Tokens


def test_theme_changes_once_and_repaints_the_application(qapp: QApplication, qtbot: object) -> None:
    theme = Theme(ThemeMode.LIGHT)
    theme.apply(qapp)
    seen: list[bool] = []
    theme.changed.connect(lambda: seen.append(theme.tokens.dark))
    theme.set_mode(ThemeMode.DARK)
    theme.set_mode(ThemeMode.DARK)
    assert seen == [True]
    assert qapp.palette().color(QPalette.ColorRole.Base).name().upper() == DARK.surface
    assert DARK.accent in qapp.styleSheet()
    theme.set_mode(ThemeMode.LIGHT)
    assert qapp.palette().color(QPalette.ColorRole.Base).name().upper() == LIGHT.surface


def test_system_mode_follows_what_the_system_reports(qapp: QApplication) -> None:
    scheme = qapp.styleHints().colorScheme()
    assert Theme(ThemeMode.SYSTEM).tokens.dark is (scheme is Qt.ColorScheme.Dark)


def test_bundled_fonts_are_used(qapp: QApplication) -> None:
    assert families() == ("Inter", "JetBrains Mono")
    theme = Theme(ThemeMode.LIGHT)
    assert theme.font("body").pixelSize() == 15
    assert theme.font(mono=True).pixelSize() == 13
    assert theme.font("title", strong=True).pixelSize() == 18


def test_a_name_is_shown_as_it_is_written(theme: Theme, qtbot: QtBot) -> None:
    """Inter would make a multiplication sign of an x between figures, and an arrow of "->"."""
    label = plain_label("4x4", "lead")
    other = plain_label("4\u00d74", "lead")
    for widget in (label, other):
        qtbot.addWidget(widget)
        widget.resize(60, 24)
    assert label.grab().toImage() != other.grab().toImage()


def test_palette_has_no_colour_of_qt_left(qapp: QApplication) -> None:
    known = {
        QColor(DARK.colour(name)).rgb() for name in Tokens.__dataclass_fields__ if name != "dark"
    }
    own = palette(DARK)
    for role in (QPalette.ColorRole.Window, QPalette.ColorRole.Highlight, QPalette.ColorRole.Mid):
        assert own.color(role).rgb() in known
