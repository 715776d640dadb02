"""Ties what concerns tools to the window: questions, permissions, the folder of a chat."""

from __future__ import annotations

from collections.abc import Callable

from rony_desktop.app.context import AppContext
from rony_desktop.app.tool import plain_result
from rony_desktop.contract.approval import ApprovalRequest, Grant
from rony_desktop.contract.event import FeedEvent, TrustNeeded
from rony_desktop.ui.approval.grant import GrantDialog
from rony_desktop.ui.approval.presenter import ApprovalPresenter
from rony_desktop.ui.approval.view import ApprovalPane
from rony_desktop.ui.task import Tasks
from rony_desktop.ui.window import MainWindow
from rony_desktop.ui.workspace.presenter import WorkspacePresenter
from rony_desktop.ui.workspace.view import WorkspacePane


class Desk:
    """The presenters of questions and folders; go is called with the id of a chat to show."""

    def __init__(
        self, app: AppContext, window: MainWindow, tasks: Tasks, go: Callable[[str], None]
    ) -> None:
        self._app = app
        self._window = window
        self._tasks = tasks
        self._session = ""
        self._grants: dict[str, Grant] = {}
        self._dialog: GrantDialog | None = None
        self._open = go
        window.chat.plain = plain_result
        self.view = ApprovalPane(window.theme, window.chat, window.status, window)
        self.approval = ApprovalPresenter(app.approvals, self.view)
        pane = WorkspacePane(window.theme, window.header.folder, window)
        self.workspace = WorkspacePresenter(app.folders, tasks, pane)
        self._ignore = app.feed.listen(self._heard)
        self._tie(pane)

    def shown(self, session: str) -> None:
        """Another chat is shown."""
        self._session = session
        self.approval.shown(session)
        self.workspace.shown(session)

    def close(self) -> None:
        """Stop listening to the program."""
        self._ignore()

    def _tie(self, pane: WorkspacePane) -> None:
        window, spawn = self._window, self._tasks.spawn
        window.chat.approvalAsked.connect(self.approval.asked)
        window.chat.approvalSettled.connect(self._settled)
        self.view.allowed.connect(self.approval.allow)
        self.view.denied.connect(self.approval.deny)
        window.status.waitingClicked.connect(self._go)
        folder = window.header.folder
        folder.menuRequested.connect(lambda: spawn(self.workspace.menu(), "folder menu"))
        folder.chosen.connect(lambda path: spawn(self.workspace.choose(path), "choose folder"))
        folder.permissionsRequested.connect(lambda: spawn(self._show_grants(), "permissions"))
        pane.answered.connect(lambda yes: spawn(self.workspace.trust(yes), "trust folder"))

    def _settled(self, request: ApprovalRequest) -> None:
        self.approval.settled(request.session, request.call.id)

    def _go(self) -> None:
        if session := self.approval.elsewhere():
            self._open(session)

    def _heard(self, event: FeedEvent) -> None:
        if isinstance(event, TrustNeeded):
            self._tasks.spawn(self.workspace.refresh(), "trust folder")

    async def _show_grants(self) -> None:
        if self._dialog is None:
            self._dialog = GrantDialog(self._window)
            self._dialog.revoked.connect(
                lambda id: self._tasks.spawn(self._revoke(id), "revoke permission")
            )
        await self._fill()
        self._dialog.open()

    async def _revoke(self, id: str) -> None:
        if grant := self._grants.get(id):
            await self._app.grants.revoke(grant)
        await self._fill()

    async def _fill(self) -> None:
        found = await self._app.grants.list(self._session)
        self._grants = {grant.id: grant for grant in found}
        if self._dialog:
            self._dialog.set_grants(found)
