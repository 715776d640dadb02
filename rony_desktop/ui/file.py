"""Files outside of the program: choosing one, and showing one where it lies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QDir, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget


def choose_model(window: QWidget, title: str, chosen: Callable[[str], object]) -> None:
    """Ask for a model file; chosen gets its path, and nothing where the user changes their mind."""
    dialog = QFileDialog(window, title)
    dialog.setNameFilter(QCoreApplication.translate("file", "Models (*.gguf)"))
    dialog.setDirectory(QDir.homePath())
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.fileSelected.connect(chosen)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


def reveal(path: Path) -> None:
    """Open it with the system's program for it, or its folder where it is not there."""
    there = path if path.exists() else path.parent
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(there)))
