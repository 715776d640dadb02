"""Opens a link only after the user has seen where it leads: its text came from a model."""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QFont, QTextOption
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from rony_desktop.ui.button import push_button
from rony_desktop.ui.chat.html import SCHEMES
from rony_desktop.ui.label import plain_label

_WIDTH = 480
_LINE = 416  # pixels of an address that stand on one line, or a little less
_LINES = 6


class LinkDialog(QDialog):
    """Shows a whole address as it is; accepted only by its Open button."""

    def __init__(self, url: QUrl, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("link_dialog")
        self.setWindowTitle(self.tr("Open a link"))
        self.setFixedWidth(_WIDTH)
        mail = url.scheme() == "mailto"
        question = plain_label(
            self.tr("Open this address in your mail program?")
            if mail
            else self.tr("Open this address in your browser?"),
            "",
            self,
        )
        font = QFont(question.font())
        font.setWeight(QFont.Weight.DemiBold)
        question.setFont(font)
        address = self._address(url.toString(QUrl.ComponentFormattingOption.FullyEncoded))
        cancel = push_button(self.tr("Cancel"), "outline", "link_cancel", self)
        cancel.clicked.connect(self.reject)
        cancel.setDefault(True)
        cancel.setFocus()
        opening = push_button(self.tr("Open"), "primary", "link_open", self)
        opening.setAutoDefault(False)
        opening.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        for button in (cancel, opening):
            button.setFixedHeight(32)
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(12)
        column.addWidget(question)
        column.addWidget(address)
        column.addSpacing(4)
        column.addLayout(buttons)

    def _address(self, text: str) -> QPlainTextEdit:
        field = QPlainTextEdit(text, self)
        field.setObjectName("link_address")
        field.setAccessibleName(self.tr("Address"))
        field.setReadOnly(True)
        field.setTabChangesFocus(True)
        # An address has no spaces: it is broken anywhere rather than cut.
        field.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        field.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        metrics = field.fontMetrics()
        lines = 1 + metrics.horizontalAdvance(text) // _LINE
        field.setFixedHeight(min(_LINES, lines) * metrics.lineSpacing() + 20)
        return field


def ask_to_open(window: QWidget, address: str) -> None:
    """Show the whole address and ask; Cancel has the focus. Other schemes are refused."""
    url = QUrl(address)
    if url.scheme() not in SCHEMES:
        return
    dialog = LinkDialog(url, window)
    dialog.accepted.connect(lambda: QDesktopServices.openUrl(url))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
