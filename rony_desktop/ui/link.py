"""Opens a link only after the user has seen where it leads: its text came from a model."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox, QWidget

SCHEMES = frozenset({"http", "https", "mailto"})


def ask_to_open(window: QWidget, address: str) -> None:
    """Show the whole address and ask; Cancel has the focus. Other schemes are refused."""
    url = QUrl(address)
    if url.scheme() not in SCHEMES:
        return
    box = QMessageBox(window)
    box.setObjectName("link_dialog")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(QCoreApplication.translate("link", "Open this address in your browser?"))
    box.setInformativeText(url.toString(QUrl.ComponentFormattingOption.FullyEncoded))
    box.setStandardButtons(QMessageBox.StandardButton.Open | QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(QMessageBox.StandardButton.Cancel)
    box.setEscapeButton(QMessageBox.StandardButton.Cancel)

    def answered(button: int) -> None:
        if button == QMessageBox.StandardButton.Open:
            QDesktopServices.openUrl(url)
        box.deleteLater()

    box.finished.connect(answered)
    box.open()
