"""Ties the window's panes to their presenters, and its actions to what they do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rony_desktop.app.context import AppContext
from rony_desktop.app.neighbour import answer, no_answer
from rony_desktop.contract.agent import Response
from rony_desktop.contract.error import Action, Failure
from rony_desktop.ui.card import ErrorText
from rony_desktop.ui.chat.presenter import ChatPresenter, ChatView
from rony_desktop.ui.desk import Desk
from rony_desktop.ui.download.segment import DownloadSegment
from rony_desktop.ui.error import answering, words
from rony_desktop.ui.file import reveal
from rony_desktop.ui.garbage import collect
from rony_desktop.ui.history.presenter import HistoryPresenter
from rony_desktop.ui.link import ask_to_open
from rony_desktop.ui.model.presenter import ModelPresenter
from rony_desktop.ui.task import Tasks
from rony_desktop.ui.window import MainWindow

if TYPE_CHECKING:
    from rony_desktop.ui.workbench import Workbench

RESTORE = "restore:"
SEND = "send"


class Shell:
    """The presenters of one window; made once the program is built."""

    def __init__(
        self, app: AppContext, window: MainWindow, tasks: Tasks, view: ChatView | None = None
    ) -> None:
        self._app = app
        self._window = window
        self._tasks = tasks
        self.model = ModelPresenter(
            app.runtime,
            app.models,
            app.feed,
            tasks,
            window.model,
            self._remember_model,
        )
        self.history = HistoryPresenter(app.chat, app.feed, tasks, window.chats)
        self.chat = ChatPresenter(app.chat, view or window.chat, self._shown, self._finished)
        self.last: Response | None = None
        self._workbench: Workbench | None = None
        self.downloads = DownloadSegment(app.feed, window.status)
        self.desk = Desk(app, window, tasks, self._open)
        self._tie_chat()
        self._tie_history()
        self._tie_window()

    def start(self) -> None:
        """Show what there is, and an empty chat with what was typed while the program loaded."""
        typed = self._window.chat.composer.text()
        self.chat.new()
        self._window.chat.set_draft(typed)
        self.model.start()
        self.history.refresh()
        for failure in self._app.notices:
            self._window.notice.show_error(words(failure), "warn")

    def close(self) -> None:
        """Stop listening to the program."""
        if self._workbench:
            self._workbench.close()
        self.desk.close()
        self.downloads.close()
        self.model.close()
        self.history.close()

    def answer(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """Answer another start: come forward, or lend the engine to a command."""
        if request.get("want") == "engine":
            runtime = self._app.runtime
            lent = runtime.lend()
            return answer(*lent) if lent else no_answer(runtime.status())
        self._window.come_forward()
        return {"ok": True}

    def act(self, action: str) -> None:
        """Do what the one button of an error says."""
        if action.startswith(RESTORE):
            self._window.notice.hide_error()
            self._tasks.spawn(self.history.restore(action.removeprefix(RESTORE)), "restore chat")
        elif deed := self._deeds().get(action):
            deed()

    def _deeds(self) -> Mapping[str, Callable[[], object]]:
        place, spawn = self._app.place, self._tasks.spawn
        return {
            SEND: self._send_again,
            Action.RETRY: lambda: spawn(self.chat.retry(), "retry"),
            Action.CHOOSE_MODEL: lambda: spawn(self.model.list(), "list models"),
            Action.NEW_CHAT: self._new,
            Action.OPEN_LOG: lambda: reveal(place.log_dir / "llama.log"),
            Action.OPEN_CONFIG: lambda: reveal(place.config_file),
            Action.OPEN_DATA: lambda: reveal(place.data_dir),
            Action.OPEN_PLAN: lambda: self.open_page("plan"),
            Action.FIND_MODEL: lambda: self.open_page("wizard"),
        }

    def open_page(self, page: str) -> None:
        """Open the pages about the model and this computer at one of them."""
        if self._workbench is None:
            from rony_desktop.ui.workbench import Workbench

            window = self._window
            self._workbench = Workbench(
                self._app, window.theme, window, self._tasks, self.act, self.model.choose
            )
        self._workbench.show(page)

    def _show_downloads(self) -> None:
        self.downloads.seen()
        self.open_page("downloads")

    def _send_again(self) -> None:
        self._window.notice.hide_error()
        self._tasks.spawn(self.chat.send(self._window.chat.composer.text()), "send")

    def _tie_chat(self) -> None:
        pane, spawn = self._window.chat, self._tasks.spawn
        pane.sendRequested.connect(lambda text: spawn(self.chat.send(text), "send"))
        pane.stopRequested.connect(lambda: spawn(self.chat.stop(), "stop"))
        pane.draftChanged.connect(self.chat.draft)
        pane.actionTriggered.connect(self.act)
        pane.linkActivated.connect(lambda address: ask_to_open(self._window, address))
        pane.failed.connect(self._refused)
        pane.filled.connect(self.model.show_used)

    def _tie_history(self) -> None:
        chats, spawn = self._window.chats, self._tasks.spawn
        chats.newRequested.connect(self._new)
        chats.chatSelected.connect(self._open)
        chats.renameRequested.connect(
            lambda id, title: spawn(self.history.rename(id, title), "rename chat")
        )
        chats.deleteRequested.connect(self._delete)
        chats.searchChanged.connect(self.history.search)
        chats.deleted.connect(self._deleted)

    def _tie_window(self) -> None:
        window, spawn = self._window, self._tasks.spawn
        window.header.modelRequested.connect(lambda: self.act(Action.CHOOSE_MODEL))
        window.header.titleChanged.connect(
            lambda title: spawn(self.history.rename(self.chat.session, title), "rename chat")
        )
        window.header.themeRequested.connect(window.set_theme)
        window.model.chosen.connect(self.model.choose)
        window.model.changed.connect(window.chat.show_model)
        # The banner speaks of the engine: trying again means loading the model again.
        window.banner.actionTriggered.connect(answering(self.model.retry, self.act))
        window.notice.actionTriggered.connect(self.act)
        window.status.engineClicked.connect(lambda: self.act(Action.OPEN_LOG))
        window.status.downloadsClicked.connect(self._show_downloads)
        window.header.pageRequested.connect(self.open_page)
        window.model.pageRequested.connect(self.open_page)
        window.model.pickerClosed.connect(self.model.stop_offers)
        window.key("Ctrl+Shift+M", lambda: self.open_page("installed"))
        window.key("Ctrl+Shift+L", lambda: self.open_page("wizard"))
        window.key("Ctrl+N", self._new)
        window.key("Ctrl+L", lambda: self.act(Action.CHOOSE_MODEL))
        window.key("Ctrl+R", lambda: self.act(Action.RETRY))
        window.key("Ctrl+Q", window.close)
        window.key("Esc", lambda: spawn(self.chat.stop(), "stop"))

    def _new(self) -> None:
        self.chat.new()
        self._window.chat.setFocus()

    def _open(self, session: str) -> None:
        self._tasks.spawn(self.chat.open(session), "open chat")
        self._window.chat.setFocus()

    def _delete(self, session: str) -> None:
        if session == self.chat.session:
            self._new()
        self._tasks.spawn(self.history.delete(session), "delete chat")

    def _deleted(self, session: str, title: str) -> None:
        tr = self._window.tr
        sentence = tr("“{0}” was moved to the bin.").format(title or tr("New chat"))
        remedy = tr("It stays there for 30 days.")
        text = ErrorText(sentence, remedy, tr("Undo"), RESTORE + session)
        self._window.notice.show_error(text, "info")

    async def _remember_model(self, name: str) -> None:
        await asyncio.to_thread(self._app.settings.save, {"model": name})

    def _refused(self, failure: Failure) -> None:
        """A question was not taken: it is still in the composer, to be sent again."""
        text = words(failure)
        action = SEND if text.action == Action.RETRY else text.action
        self._window.notice.show_error(replace(text, action=action))

    def _shown(self, session: str) -> None:
        self._window.chats.set_current(session)
        self.desk.shown(session)
        collect()

    def _finished(self, response: Response) -> None:
        self.last = response
        self.model.finished(response)
        collect()
