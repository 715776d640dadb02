"""The guard: half a second for eyes to arrive."""

from PySide6.QtCore import QElapsedTimer, Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from rony_desktop.ui.approval.guard import GUARD_MS, Guard, GuardedButton, Quiet


def test_presses_before_the_time_are_swallowed(qtbot: QtBot) -> None:
    guard = Guard()
    button = GuardedButton(guard)
    qtbot.addWidget(button)
    button.show()
    guard.restart()
    with qtbot.assertNotEmitted(button.chosen):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        qtbot.mousePress(button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: guard.armed)
        qtbot.mouseRelease(button, Qt.MouseButton.LeftButton)
    for press in (
        lambda: qtbot.mouseClick(button, Qt.MouseButton.LeftButton),
        lambda: qtbot.keyClick(button, Qt.Key.Key_Space),
        button.click,
    ):
        with qtbot.waitSignal(button.chosen):
            press()


def test_silence_begins_again_with_every_key(qtbot: QtBot) -> None:
    field = QLineEdit()
    qtbot.addWidget(field)
    field.show()
    quiet = Quiet(field)
    clock = QElapsedTimer()
    quiet.wait()
    clock.start()
    qtbot.waitUntil(lambda: clock.hasExpired(GUARD_MS // 2))
    qtbot.keyClicks(field, "x")
    with qtbot.waitSignal(quiet.came):
        pass
    assert clock.elapsed() >= GUARD_MS * 1.4
    quiet.wait()
    quiet.stop()
    clock.start()
    with qtbot.assertNotEmitted(quiet.came):
        qtbot.keyClicks(field, "y")
        qtbot.waitUntil(lambda: clock.hasExpired(GUARD_MS + 100))
