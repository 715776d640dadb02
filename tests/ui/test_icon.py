"""Icons: tinted, sharp, and none too many."""

from importlib import resources
from pathlib import Path

from PySide6.QtWidgets import QApplication

from rony_desktop.ui.icon import app_icon, icon, pixmap
from rony_desktop.ui.theme import Theme, ThemeMode
from rony_desktop.ui.token import LIGHT


def test_icons_take_the_colour_of_their_role(qapp: QApplication) -> None:
    theme = Theme(ThemeMode.LIGHT)
    image = pixmap(theme, "copy", "danger", 16, 2.0).toImage()
    assert (image.width(), image.height()) == (32, 32)
    shown = {image.pixelColor(x, y).name() for x in range(32) for y in range(32)
             if image.pixelColor(x, y).alpha() == 255}  # fmt: skip
    assert LIGHT.danger.lower() in shown
    theme.set_mode(ThemeMode.DARK)
    dark = icon(theme, "copy", "danger").pixmap(16, 16).toImage()
    assert dark != icon(Theme(ThemeMode.LIGHT), "copy", "danger").pixmap(16, 16).toImage()


def test_no_icon_is_shipped_that_nobody_shows() -> None:
    folder = Path(str(resources.files("resources"))) / "icon"
    there = {file.stem for file in folder.glob("*.svg")}
    code = Path(str(resources.files("rony_desktop"))) / "ui"
    text = "\n".join(file.read_text("utf-8") for file in code.rglob("*.py"))
    assert {name for name in there if f'"{name}"' not in text} == set()


def test_the_programs_icon_has_every_size_and_a_colour(qapp: QApplication) -> None:
    sizes = {size.width() for size in app_icon().availableSizes()}
    assert sizes == {16, 32, 48, 128}
    image = app_icon().pixmap(48, 48).toImage()
    assert image.pixelColor(24, 4).name() == "#0b6e63"
