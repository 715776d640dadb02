"""The folder of a chat, as the window asks for it: chosen, remembered, trusted."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rony_desktop.app.chat import ChatService
from rony_desktop.app.runtime import Runtime
from rony_desktop.app.tool import Frames
from rony_desktop.app.workspace import Brought, TrustState, Workspaces


@dataclass(frozen=True, slots=True)
class RecentFolder:
    """A folder that was used before."""

    path: str
    exists: bool


@dataclass(frozen=True, slots=True)
class TrustFile:
    """A file a folder brings along."""

    name: str
    text: str


class FolderService:
    """What the window asks of folders."""

    def __init__(
        self, chat: ChatService, workspaces: Workspaces, frames: Frames, runtime: Runtime
    ) -> None:
        self._chat = chat
        self._workspaces = workspaces
        self._frames = frames
        self._runtime = runtime

    async def current(self, session: str) -> str:
        """The folder of a chat, "" for none. Raises SessionError."""
        return await self._chat.folder(session)

    async def recent(self) -> Sequence[RecentFolder]:
        """Folders used before, newest first."""
        found = await self._workspaces.recent()
        return await asyncio.to_thread(lambda: [RecentFolder(p, Path(p).is_dir()) for p in found])

    async def choose(self, session: str, folder: str) -> None:
        """Let a chat work in a folder, "" for none.

        Raises:
            WorkspaceMissing: it cannot be opened; nothing is changed.
            StorageError, SessionError: the choice cannot be kept.
        """
        path = await self._workspaces.remember(folder) if folder else ""
        await self._chat.choose_folder(session, path)

    async def untrusted(self, session: str) -> Sequence[TrustFile]:
        """Files of the chat's folder on which the user has not decided yet. Raises RonyError."""
        folder = await self.current(session)
        if not folder:
            return ()
        brought = await self._workspaces.brought(folder)
        if brought.state is not TrustState.UNKNOWN:
            return ()
        return tuple(TrustFile(name, text) for name, text in brought.files.items())

    async def trust(self, session: str, files: Sequence[TrustFile], trusted: bool) -> None:
        """Keep what the user decided on exactly these texts; a model they ask for is loaded."""
        folder = await self.current(session)
        if not folder:  # it was taken away while the user was asked
            return
        brought = Brought(folder, {file.name: file.text for file in files})
        state = TrustState.TRUSTED if trusted else TrustState.REFUSED
        await self._workspaces.decide(brought, state)
        if trusted and (model := await self._frames.model_of(folder)):
            self._runtime.use(model)
