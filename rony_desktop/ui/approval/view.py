"""Card, sheet and status bar as ApprovalPresenter sees them."""

from __future__ import annotations

from functools import cached_property
from typing import TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from rony_desktop.contract.approval import ApprovalRequest
from rony_desktop.ui.approval.card import ApprovalCard
from rony_desktop.ui.approval.sheet import ApprovalSheet
from rony_desktop.ui.chat.view import ChatPane
from rony_desktop.ui.status import StatusBar
from rony_desktop.ui.theme import Theme

_Question = TypeVar("_Question", ApprovalCard, ApprovalSheet)


class ApprovalPane(QObject):
    """An ApprovalView: the card stands in the conversation, and in a sheet where nobody looks."""

    allowed = Signal(object)
    denied = Signal(str)

    def __init__(self, theme: Theme, chat: ChatPane, status: StatusBar, window: QWidget) -> None:
        super().__init__(window)
        self._theme = theme
        self._chat = chat
        self._status = status
        self._window = window
        self._shown: ApprovalRequest | None = None

    @cached_property
    def card(self) -> ApprovalCard:
        """The card; like the sheet it is made for the first question: most starts ask none."""
        card = ApprovalCard(self._theme, self._chat)
        card.hide()
        return self._tied(card)

    @cached_property
    def sheet(self) -> ApprovalSheet:
        """The sheet."""
        return self._tied(ApprovalSheet(self._theme, self._window))

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
        if self._shown is None:
            return
        self._shown = None
        self.sheet.withdraw()
        if self.card.isAncestorOf(self._window.focusWidget()):
            self._chat.setFocus()  # else Qt gives it to whatever comes next, the list of chats
        self._chat.hide_card()

    def _tied(self, question: _Question) -> _Question:
        question.allowed.connect(self.allowed)
        question.denied.connect(self.denied)
        return question

    def show_elsewhere(self, count: int) -> None:
        """Tell how many other chats wait."""
        self._status.set_waiting(count)
