"""Files outside of the program."""

from pathlib import Path

import pytest
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.ui.file import choose_model, reveal

pytestmark = pytest.mark.ui


def test_one_model_file_is_asked_for(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    chosen: list[str] = []
    choose_model(window, "Choose a model", chosen.append)
    dialog = window.findChild(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    assert dialog.windowTitle() == "Choose a model"
    assert dialog.fileMode() is QFileDialog.FileMode.ExistingFile
    assert dialog.nameFilters() == ["Models (*.gguf)"]
    dialog.fileSelected.emit("/m/a.gguf")
    assert chosen == ["/m/a.gguf"]
    dialog.reject()
    qtbot.waitUntil(lambda: window.findChild(QFileDialog) is None)


def test_what_is_not_there_shows_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: shown.append(url.toLocalFile()))
    there = tmp_path / "a.log"
    there.touch()
    reveal(there)
    reveal(tmp_path / "b.log")
    assert shown == [str(there), str(tmp_path)]
