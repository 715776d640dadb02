"""The question as a sheet, for when it comes while the window is not in front."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QDialog, QVBoxLayout, QWidget

from rony_desktop.contract.approval import ApprovalRequest
from rony_desktop.ui.approval.card import ApprovalCard
from rony_desktop.ui.theme import Theme

WIDTH = 640


class ApprovalSheet(QDialog):
    """A card above the window; postponed tells that it was closed without an answer."""

    allowed = Signal(object)
    denied = Signal(str)
    postponed = Signal()

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setObjectName("approval_sheet")
        self.setWindowTitle(self.tr("Rony waits for your answer"))
        # It must not take the keys of whoever types in another program.
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setFixedWidth(WIDTH)
        self.card = ApprovalCard(theme, self)
        self.card.allowed.connect(self._allow)
        self.card.denied.connect(self._deny)
        self.rejected.connect(self.postponed)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)
        column.addWidget(self.card)

    def show_request(self, request: ApprovalRequest, waiting: int = 1) -> None:
        """Ask, and draw the eye to the window."""
        self.card.show_request(request, waiting)
        self.adjustSize()
        if not self.isVisible():
            self.card.focus_deny()
            self.show()
        QApplication.alert(self._window)

    def withdraw(self) -> None:
        """Close: the question was settled elsewhere."""
        self.done(QDialog.DialogCode.Accepted)

    def _allow(self, choice: object) -> None:
        self.withdraw()
        self.allowed.emit(choice)

    def _deny(self, reason: str) -> None:
        self.withdraw()
        self.denied.emit(reason)
