"""Drives the choice of a folder, and the question whether its own files are trusted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from rony_desktop.ui.task import Tasks

if TYPE_CHECKING:  # its package is imported after the first paint
    from rony_desktop.app.folder import RecentFolder, TrustFile


class WorkspaceService(Protocol):
    """Folders of chats. A session of no chat yet keeps its folder for its first message."""

    async def current(self, session: str) -> str:
        """The folder of a chat, "" for none."""
        ...

    async def recent(self) -> Sequence[RecentFolder]:
        """Folders chosen before, newest first."""
        ...

    async def choose(self, session: str, folder: str) -> None:
        """Let a chat work in a folder; "" for none. Raises RonyError."""
        ...

    async def untrusted(self, session: str) -> Sequence[TrustFile]:
        """Files of the chat's folder whose content was neither trusted nor refused yet."""
        ...

    async def trust(self, session: str, files: Sequence[TrustFile], trusted: bool) -> None:
        """Keep the answer for exactly this content."""
        ...


class WorkspaceView(Protocol):
    """What the presenter asks of the header and the sheet."""

    def show_folder(self, path: str) -> None: ...  # noqa: D102
    def show_menu(self, folders: Sequence[RecentFolder]) -> None: ...  # noqa: D102
    def ask_trust(self, folder: str, files: Sequence[TrustFile]) -> None: ...  # noqa: D102
    def hide_trust(self) -> None: ...  # noqa: D102


class WorkspacePresenter:
    """Shows the folder of the shown chat; work that a later chat has overtaken shows nothing."""

    def __init__(self, service: WorkspaceService, tasks: Tasks, view: WorkspaceView) -> None:
        self._service = service
        self._tasks = tasks
        self._view = view
        self._session = ""
        self._asked: tuple[str, Sequence[TrustFile]] | None = None

    def shown(self, session: str) -> None:
        """Another chat is shown."""
        self._session = session
        self._asked = None
        self._view.hide_trust()
        self._tasks.spawn(self.refresh(), "show folder")

    async def refresh(self) -> None:
        """Show the folder as it is now, and ask about files that changed."""
        session = self._session
        folder = await self._service.current(session)
        files = await self._service.untrusted(session) if folder else ()
        if session != self._session:
            return
        self._view.show_folder(folder)
        self._asked = (session, files) if files else None
        if files:
            self._view.ask_trust(folder, files)
        else:
            self._view.hide_trust()

    async def menu(self) -> None:
        """Open the menu of folders."""
        self._view.show_menu(await self._service.recent())

    async def choose(self, folder: str) -> None:
        """Let the shown chat work in a folder; "" for none."""
        await self._service.choose(self._session, folder)
        await self.refresh()

    async def trust(self, trusted: bool) -> None:
        """Keep the answer for the files that were shown, as they were shown."""
        asked, self._asked = self._asked, None
        if asked is not None:
            session, files = asked
            await self._service.trust(session, files, trusted)
