"""The floating panel: where it stands, how it closes, and where the keys go then."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.ui.model.panel import Panel
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
CTRL = Qt.KeyboardModifier.ControlModifier


class Stage:
    """A window with a field that has the keys, a button, and a panel with two buttons below it."""

    def __init__(self, theme: Theme, qtbot: QtBot) -> None:
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.window.resize(800, 500)
        self.field = QLineEdit(self.window)
        self.button = QPushButton("Open", self.window)
        self.button.setGeometry(500, 8, 200, 32)
        self.window.show()
        self.window.activateWindow()
        qtbot.waitUntil(self.window.isActiveWindow)
        self.field.setFocus()
        self.panel = Panel(theme, self.window)
        self.panel.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
        column = QVBoxLayout(self.panel.frame)
        self.inside = [QPushButton(name, self.panel.frame) for name in ("One", "Two")]
        for button in self.inside:
            column.addWidget(button)
        self.panel.open_under(self.button)
        self.inside[0].setFocus()


@pytest.fixture
def stage(theme: Theme, qtbot: QtBot) -> Iterator[Stage]:
    stage = Stage(theme, qtbot)
    yield stage
    stage.panel.close()


def test_it_stands_under_its_button_and_follows_the_window(stage: Stage) -> None:
    frame = stage.panel.frame
    assert frame.geometry().right() == stage.button.geometry().right()
    assert frame.y() > stage.button.geometry().bottom()
    stage.button.move(300, 8)
    stage.window.resize(600, 400)
    assert stage.panel.size() == stage.window.size()
    assert frame.geometry().right() == stage.button.geometry().right()


def test_it_never_leaves_the_window(stage: Stage) -> None:
    stage.button.move(-150, 8)
    stage.window.resize(120, 400)
    assert stage.panel.rect().contains(stage.panel.frame.geometry())


@pytest.mark.parametrize(
    ("key", "modifier"),
    [(Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier), (Qt.Key.Key_L, CTRL)],
)
def test_keys_close_it_and_go_back_to_where_they_were(
    stage: Stage, qtbot: QtBot, key: Qt.Key, modifier: Qt.KeyboardModifier
) -> None:
    with qtbot.waitSignal(stage.panel.closed):
        qtbot.keyClick(stage.inside[0], key, modifier)
    assert not stage.panel.isVisible()
    assert stage.window.focusWidget() is stage.field


def test_a_click_beside_it_closes_it_and_one_on_it_does_not(stage: Stage, qtbot: QtBot) -> None:
    frame = stage.panel.frame.geometry()
    left = Qt.MouseButton.LeftButton
    qtbot.mouseClick(stage.panel, left, pos=frame.topLeft() + QPoint(3, 3))
    assert stage.panel.isVisible()
    with qtbot.waitSignal(stage.panel.closed):
        qtbot.mouseClick(stage.panel, left, pos=frame.bottomLeft() + QPoint(0, 40))
    assert not stage.panel.isVisible()


def test_the_keys_go_nowhere_where_that_is_gone(stage: Stage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(stage.field.destroyed):
        stage.field.deleteLater()
    stage.panel.close()
    assert not stage.panel.isVisible()


def test_tab_stays_inside(stage: Stage, qtbot: QtBot) -> None:
    for key, place in (
        (Qt.Key.Key_Tab, 1),
        (Qt.Key.Key_Tab, 0),
        (Qt.Key.Key_Backtab, 1),
    ):
        qtbot.keyClick(stage.window.focusWidget(), key)
        assert stage.window.focusWidget() is stage.inside[place]


def test_shortcuts_of_the_window_wait_until_it_is_closed(stage: Stage, qtbot: QtBot) -> None:
    heard: list[str] = []
    for keys in ("Esc", "Ctrl+N"):
        shortcut = QShortcut(QKeySequence(keys), stage.window)
        shortcut.activated.connect(lambda keys=keys: heard.append(keys))
    qtbot.keyClick(stage.inside[0], Qt.Key.Key_N, CTRL)
    qtbot.keyClick(stage.inside[0], Qt.Key.Key_Escape)
    assert heard == []
    qtbot.keyClick(stage.field, Qt.Key.Key_Escape)
    assert heard == ["Esc"]


def test_its_shadow_is_drawn_around_the_frame(stage: Stage) -> None:
    frame = stage.panel.frame.geometry()
    image = stage.window.grab().toImage()
    beside, far = frame.bottomLeft() + QPoint(40, 4), frame.bottomLeft() + QPoint(40, 60)
    assert image.pixelColor(beside).lightness() < image.pixelColor(far).lightness()
