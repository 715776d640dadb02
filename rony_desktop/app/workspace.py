"""The folders chats work in: recent ones, what they bring along, and the sandbox over each."""

from __future__ import annotations

import asyncio
import hashlib
import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from rony_desktop.contract.error import SandboxViolationError, WorkspaceMissing
from rony_desktop.contract.port import RecordStore
from rony_desktop.contract.session import Session
from rony_desktop.tool.sandbox.root import Root

# What a folder may bring: settings and instructions. Both count only once the user trusts them.
BROUGHT = ("rony.yaml", "AGENTS.md")
LARGEST_BYTES = 65_536
RECENT = 8
FOLDERS, TRUST = "folder", "trust"


class TrustState(StrEnum):
    """What the user said of exactly these files."""

    UNKNOWN = "unknown"
    TRUSTED = "trusted"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Brought:
    """What a folder brings along: texts by file name, and what the user said of them."""

    folder: str
    files: Mapping[str, str] = field(default_factory=dict)
    state: TrustState = TrustState.UNKNOWN

    @property
    def digest(self) -> str:
        """Of names and contents: a changed file is another digest, and asks again."""
        whole = hashlib.sha256()
        for name, text in sorted(self.files.items()):
            data = text.encode("utf-8", "surrogatepass")
            whole.update(f"{name}\0{len(data)}\0".encode() + data)
        return whole.hexdigest()


class Workspaces:
    """Opens folders and remembers them. Handles are kept: a folder is a thing, not a name."""

    def __init__(self, records: RecordStore, config_dir: Path, own: Sequence[Path] = ()) -> None:
        self._records = records
        self._config_dir = config_dir
        self._own = own
        self._open: dict[str, Root] = {}
        self._left: list[Root] = []
        self._lock = threading.Lock()

    async def recent(self) -> Sequence[str]:
        """Folders used before, newest first."""
        found = await self._records.list(FOLDERS)
        rows = [(str(row.get("used", "")), str(row.get("path", ""))) for row in found.values()]
        return [path for _, path in sorted(rows, reverse=True) if path][:RECENT]

    async def remember(self, folder: str) -> str:
        """Open a folder and put it first among the recent ones; returns its absolute path.

        Raises:
            WorkspaceMissing: it is not there, no folder, or may not be entered.
        """
        path = await asyncio.to_thread(self._opened, folder)
        used = datetime.now(UTC).isoformat()
        await self._records.put(FOLDERS, _key(path), {"path": path, "used": used})
        return path

    async def brought(self, folder: str) -> Brought:
        """What a folder brings along, read now.

        Raises:
            WorkspaceMissing: the folder cannot be opened.
        """
        found = Brought(folder, await asyncio.to_thread(self._read, folder))
        if not found.files:
            return replace(found, state=TrustState.TRUSTED)
        said = await self._records.get(TRUST, _key(folder)) or {}
        known = said.get("digest") == found.digest and said.get("state") in tuple(TrustState)
        return replace(found, state=TrustState(said["state"])) if known else found

    async def decide(self, brought: Brought, state: TrustState) -> None:
        """Remember what the user said of these files."""
        record = {"folder": brought.folder, "digest": brought.digest, "state": state.value}
        await self._records.put(TRUST, _key(brought.folder), record)

    def sandbox(self, session: Session) -> Root | None:
        """The sandbox over a chat's folder, None where it has none.

        Raises:
            WorkspaceMissing: the folder cannot be opened.
        """
        return self._root(session.folder) if session.folder else None

    def close(self) -> None:
        """Let go of every folder."""
        with self._lock:
            for root in (*self._open.values(), *self._left):
                root.close()
            self._open.clear()
            self._left.clear()

    def _opened(self, folder: str) -> str:
        path = str(Path(folder).expanduser().absolute())
        self._root(path)
        return path

    def _root(self, folder: str) -> Root:
        """The open folder of that name; opened anew where the name means another one now."""
        with self._lock:
            try:
                known = self._open.get(folder)
                if known and _same(Path(folder).stat(), known.stat(".")):
                    return known
                root = Root(folder, self._config_dir, own=self._own)
            except OSError as error:
                detail = error.strerror or str(error)
                raise WorkspaceMissing(path=folder, detail=detail) from error
            if known:  # a tool may still be at work in it
                self._left.append(known)
            self._open[folder] = root
            return root

    def _read(self, folder: str) -> dict[str, str]:
        """The texts of the files that may be brought; what is no plain text file is none."""
        root = self._root(folder)
        found: dict[str, str] = {}
        for name in BROUGHT:
            try:
                if root.stat(name).st_size <= LARGEST_BYTES:
                    found[name] = root.read_text(name)
            except (OSError, SandboxViolationError, UnicodeDecodeError):
                continue
        return found


def _same(one: os.stat_result, other: os.stat_result) -> bool:
    return (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)


def _key(folder: str) -> str:
    return hashlib.sha256(folder.encode("utf-8", "surrogatepass")).hexdigest()[:32]
