"""The conversation pane: transcript or empty state, progress line, composer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from rony_desktop.contract.approval import ApprovalRequest
from rony_desktop.contract.engine import EngineState, EngineStatus
from rony_desktop.contract.error import Action, Failure, NoModel
from rony_desktop.contract.llm import Progress
from rony_desktop.contract.message import Message, ToolCall
from rony_desktop.contract.session import Session, SessionMessage
from rony_desktop.contract.tool import ToolState
from rony_desktop.ui.chat.block import ShownMessage
from rony_desktop.ui.chat.call import Plain, answered, called, content_of, forming, moved
from rony_desktop.ui.chat.composer import Composer
from rony_desktop.ui.chat.progress import ProgressLine
from rony_desktop.ui.chat.transcript import TranscriptView
from rony_desktop.ui.chat.words import conversation, shown
from rony_desktop.ui.empty import EmptyKind, EmptyState
from rony_desktop.ui.error import words
from rony_desktop.ui.theme import Theme


class ChatPane(QWidget):
    """Shows what ChatPresenter says (it is its ChatView) and reports what the user does.

    plain gives the words of a tool's result; whoever wraps results sets it.
    """

    sendRequested = Signal(str)  # noqa: N815 - Qt's naming of signals
    stopRequested = Signal()  # noqa: N815
    draftChanged = Signal(str)  # noqa: N815
    actionTriggered = Signal(str)  # noqa: N815
    linkActivated = Signal(str)  # noqa: N815
    failed = Signal(Failure)
    approvalAsked = Signal(ApprovalRequest)  # noqa: N815
    approvalSettled = Signal(ApprovalRequest)  # noqa: N815
    titled = Signal(str)
    filled = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.plain: Plain = content_of
        self.setObjectName("chat_pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.transcript = TranscriptView(theme, self)
        self.empty = EmptyState(theme, self)
        self.progress = ProgressLine(theme, self)
        self.composer = Composer(theme, self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.transcript)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._stack, 1)
        column.addWidget(self.progress)
        column.addWidget(self.composer)
        self.setFocusProxy(self.composer)
        self._connect()

    def show_session(self, session: Session, *, live: bool = False) -> None:
        """Show a whole chat; live says that a turn of it goes on."""
        self.show_messages(conversation(session, self.plain, live=live))
        self.titled.emit(session.title)
        used = (m.usage.total_tokens for m in reversed(session.messages) if m.usage)
        self.filled.emit(next(used, 0))

    def show_messages(self, messages: Sequence[ShownMessage]) -> None:
        """Show these messages, or the empty state where there are none."""
        self.transcript.open(messages)
        self._stack.setCurrentWidget(self.transcript if messages else self.empty)

    def add_question(self, message: SessionMessage) -> None:
        """Show a question that was just sent."""
        self._stack.setCurrentWidget(self.transcript)
        self.transcript.add(shown(message))
        self.transcript.scroll_to(1.0)

    def begin_answer(self, message: SessionMessage) -> None:
        """Show an answer that begins, or goes on after a change of chat."""
        self._stack.setCurrentWidget(self.transcript)
        self.transcript.begin(shown(message, streaming=True))

    def append_text(self, text: str) -> None:
        """Add to the answer."""
        self.transcript.append(text)

    def append_thinking(self, text: str) -> None:
        """Add to the answer's reasoning."""
        self.transcript.append_thinking(text)

    def end_answer(self, message: SessionMessage) -> None:
        """Close the answer: its foot, and its error where it has one; calls let it go on."""
        self.transcript.end(shown(message))

    def show_forming(self, name: str, characters: int) -> None:
        """Say that a call is being written."""
        self.progress.set_waiting(forming(name, characters))

    def add_call(self, call: ToolCall) -> None:
        """Show a call that is going to be made."""
        self.transcript.add_call(called(call))

    def update_call(self, id: str, state: ToolState, params: Mapping[str, str]) -> None:
        """Show how far a call came."""
        if call := self.transcript.call(id):
            self.transcript.set_call(moved(call, state, params))

    def end_call(self, message: Message) -> None:
        """Show what a call's tool answered."""
        call = self.transcript.call(message.tool_call_id)
        if call and message.tool_result:
            self.transcript.set_call(answered(call, message.tool_result, self.plain))

    def ask(self, request: ApprovalRequest) -> None:
        """Tell that a call waits for the user, in this chat or another."""
        self.approvalAsked.emit(request)

    def dismiss(self, request: ApprovalRequest) -> None:
        """Tell that a call does not wait any more."""
        self.approvalSettled.emit(request)

    def show_card(self, widget: QWidget) -> None:
        """Put a widget at the end of the conversation and bring it into sight."""
        self._stack.setCurrentWidget(self.transcript)
        self.transcript.show_card(widget)

    def hide_card(self) -> None:
        """Take the widget away; it may be shown again."""
        self.transcript.hide_card()

    @property
    def panes(self) -> list[QWidget]:
        """What F6 goes through: conversation, the card where there is one, composer."""
        card = self.transcript.card
        return [self.transcript, *([card] if card else []), self.composer]

    def show_busy(self, busy: bool) -> None:
        """Offer Stop instead of Send, or Send again."""
        self.composer.set_busy(busy)

    def show_progress(self, progress: Progress | None) -> None:
        """Say how far the prompt is read; None says nothing."""
        if progress is None or progress.processed >= progress.total:
            self.progress.set_idle()
        else:
            self.progress.set_prefill(progress.processed, progress.total)

    def show_waiting(self, status: EngineStatus) -> None:
        """Say what the answer waits for."""
        if status.state is EngineState.WAITING:
            self.progress.set_waiting(self.tr("Starting the engine again"))
        else:
            self.progress.set_waiting(self.tr("Loading the model"))

    def show_failure(self, failure: Failure) -> None:
        """Pass a failure on to where the whole window's are shown."""
        self.failed.emit(failure)

    def set_draft(self, text: str) -> None:
        """Put text into the composer."""
        self.composer.set_text(text)

    def show_model(self, status: EngineStatus) -> None:
        """Let the empty state say what there is to do: choose a model, wait, or write."""
        if status.failure and status.failure.code == NoModel.code:
            self.empty.set_kind(EmptyKind.NO_MODEL)
        elif status.failure and status.state is EngineState.FAILED:
            self.empty.set_kind(EmptyKind.FAILED, words(status.failure).remedy)
        elif status.state is EngineState.LOADING:
            self.empty.set_kind(EmptyKind.LOADING, status.model)
        else:
            self.empty.set_kind(EmptyKind.NO_CHAT)

    def _connect(self) -> None:
        self.composer.sendRequested.connect(self.sendRequested)
        self.composer.stopRequested.connect(self.stopRequested)
        self.composer.draftChanged.connect(self.draftChanged)
        self.transcript.linkActivated.connect(self.linkActivated)
        self.transcript.actionTriggered.connect(lambda _, action: self.actionTriggered.emit(action))
        self.empty.actionTriggered.connect(self._empty_action)

    def _empty_action(self, kind: str) -> None:
        if kind == EmptyKind.NO_MODEL:
            self.actionTriggered.emit(Action.FIND_MODEL)
        else:
            self.composer.setFocus()
