"""A check's row is read aloud whole and shows its state by icon, word and colour."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.app.check import Check, Found, Status
from rony_desktop.ui.doctor.row import CheckRow
from rony_desktop.ui.theme import Theme, ThemeMode

pytestmark = pytest.mark.ui
Find = Callable[..., Any]


@pytest.mark.parametrize(
    ("status", "word", "role"),
    [("ok", "OK", "hint"), ("warning", "Warning", "warn"), ("failed", "Failed", "danger")],
)
def test_the_state_is_a_word_in_its_colour(
    theme: Theme, qtbot: QtBot, child: Find, status: Status, word: str, role: str
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    row = CheckRow(theme, Check("engine", status, Found.ENGINE_NONE), parent)
    label = child(row, QLabel, "doctor_status")
    assert (label.text(), label.property("role")) == (word, role)
    assert row.accessibleName() == (
        f"Engine: {word}. No engine works on this computer "
        "Set llama.binary_path to a llama-server that runs here."
    )


def test_without_a_remedy_there_is_no_empty_line(theme: Theme, qtbot: QtBot, child: Find) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    row = CheckRow(theme, Check("gpu", "ok", Found.GPU_NONE), parent)
    parent.show()
    assert child(row, QLabel, "doctor_sentence").isVisible()
    assert not child(row, QLabel, "doctor_remedy").isVisible()


def test_the_icon_follows_the_theme(theme: Theme, qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    row = CheckRow(theme, Check("gpu", "ok", Found.GPU_NONE), parent)
    light = row._picture.pixmap().toImage()
    theme.set_mode(ThemeMode.DARK)
    assert row._picture.pixmap().toImage() != light
