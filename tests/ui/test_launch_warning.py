"""The warning that the GPU is not used."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from rony_desktop.ui.launch.warning import ProcessorWarning
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui


def test_it_says_what_was_planned_and_leads_to_the_check(theme: Theme, qtbot: QtBot) -> None:
    warning = ProcessorWarning(theme)
    qtbot.addWidget(warning)
    warning.show_layers(23)
    assert "gave 23 layers to the GPU" in warning.accessibleName()
    button = warning.findChild(QPushButton, "launch_doctor")
    assert isinstance(button, QPushButton)
    with qtbot.waitSignal(warning.doctorRequested):
        qtbot.keyClick(button, Qt.Key.Key_Space)
