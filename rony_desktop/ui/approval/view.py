"""Card, sheet and status bar as ApprovalPresenter sees them."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from rony_desktop.contract.approval import ApprovalRequest
from rony_desktop.ui.approval.card import ApprovalCard
from rony_desktop.ui.approval.sheet import ApprovalSheet
from rony_desktop.ui.chat.view import ChatPane
from rony_desktop.ui.status import StatusBar
from rony_desktop.ui.theme import Theme


class ApprovalPane(QObject):
    """An ApprovalView: the card stands in the conversation, and in a sheet where nobody looks."""

    allowed = Signal(object)
    denied = Signal(str)

    def __init__(self, theme: Theme, chat: ChatPane, status: StatusBar, window: QWidget) -> None:
        super().__init__(window)
        self._chat = chat
        self._status = status
        self._window = window
        self._shown: ApprovalRequest | None = None
        self.card = ApprovalCard(theme, chat)
        self.card.hide()
        self.sheet = ApprovalSheet(theme, window)
        for question in (self.card, self.sheet):
            question.allowed.connect(self.allowed)
            question.denied.connect(self.denied)

    def show(self, request: ApprovalRequest, waiting: int) -> None:
        """Ask; a question that comes while another program is in front is seen on return."""
        fresh = request is not self._shown
        self._shown = request
        self.card.show_request(request, waiting)
        self._chat.show_card(self.card)
        if self.sheet.isVisible() or (fresh and not self._window.isActiveWindow()):
            self.sheet.show_request(request, waiting)

    def hide(self) -> None:
        """Ask no more."""
        self._shown = None
        self.sheet.withdraw()
        if self.card.isAncestorOf(self._window.focusWidget()):
            self._chat.setFocus()  # else Qt gives it to whatever comes next, the list of chats
        self._chat.hide_card()

    def show_elsewhere(self, count: int) -> None:
        """Tell how many other chats wait."""
        self._status.set_waiting(count)
