"""A ChatView in memory: what a pane would show."""

from __future__ import annotations

from collections.abc import Mapping

from rony_desktop.contract.approval import ApprovalRequest
from rony_desktop.contract.engine import EngineStatus
from rony_desktop.contract.error import Failure
from rony_desktop.contract.llm import Progress
from rony_desktop.contract.message import Message, ToolCall
from rony_desktop.contract.session import Session, SessionMessage
from rony_desktop.contract.tool import ToolState


class FakeChatView:
    """Shows what it is told, as a pane would; a draft set by the presenter comes back as typed."""

    def __init__(self) -> None:
        self.session = Session("")
        self.messages: list[SessionMessage] = []
        self.open: SessionMessage | None = None
        self.text = ""
        self.thinking = ""
        self.busy = False
        self.busy_states: list[bool] = []
        self.progress: list[Progress | None] = []
        self.waiting: list[EngineStatus] = []
        self.failures: list[Failure] = []
        self.draft = ""
        self.live = False
        self.forming: list[tuple[str, int]] = []
        self.calls: dict[str, list[object]] = {}
        self.asked: list[ApprovalRequest] = []

    def show_session(self, session: Session, *, live: bool = False) -> None:
        self.session, self.live, self.messages = session, live, list(session.messages)
        self.calls = {call.id: [] for m in session.messages for call in m.message.tool_calls}
        self.open, self.text, self.thinking = None, "", ""

    def add_question(self, message: SessionMessage) -> None:
        self.messages.append(message)

    def begin_answer(self, message: SessionMessage) -> None:
        self.open = message
        self.text, self.thinking = message.message.content, message.message.thinking

    def append_text(self, text: str) -> None:
        assert self.open, "text without an answer"
        self.text += text

    def append_thinking(self, text: str) -> None:
        self.thinking += text

    def end_answer(self, message: SessionMessage) -> None:
        assert self.open
        assert message.message.id == self.open.message.id
        assert message.message.content == self.text
        self.messages.append(message)
        self.open = None

    def show_forming(self, name: str, characters: int) -> None:
        self.forming.append((name, characters))

    def add_call(self, call: ToolCall) -> None:
        assert self.open is None, "a call in the middle of an answer"
        self.calls[call.id] = []

    def update_call(self, id: str, state: ToolState, params: Mapping[str, str]) -> None:
        self.calls[id].append(state)

    def end_call(self, message: Message) -> None:
        assert message.tool_result
        self.calls[message.tool_call_id].append(message.tool_result.content)

    def ask(self, request: ApprovalRequest) -> None:
        if request not in self.asked:
            self.asked.append(request)

    def dismiss(self, request: ApprovalRequest) -> None:
        self.asked.remove(request)

    def show_busy(self, busy: bool) -> None:
        self.busy = busy
        self.busy_states.append(busy)

    def show_progress(self, progress: Progress | None) -> None:
        self.progress.append(progress)

    def show_waiting(self, status: EngineStatus) -> None:
        self.waiting.append(status)

    def show_failure(self, failure: Failure) -> None:
        self.failures.append(failure)

    def set_draft(self, text: str) -> None:
        self.draft = text

    def contents(self) -> list[str]:
        return [message.message.content for message in self.messages]
