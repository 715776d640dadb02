"""The bin: deleted sessions, kept for 30 days under their id and the time they were deleted."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from rony_desktop.contract.error import SessionError, SessionMissing
from rony_desktop.store.atomic import storage_error
from rony_desktop.store.session_file import move_file

KEPT = timedelta(days=30)
SUFFIX = ".jsonl"
_STAMP = "%Y%m%dT%H%M%S%fZ"


class SessionBin:
    """Moves session files in and out of one folder. Blocking: call it in a thread."""

    def __init__(self, folder: Path, now: Callable[[], datetime]) -> None:
        self._folder = folder
        self._now = now

    def put(self, id: str, path: Path) -> None:
        """Take a session's file. Raises StorageError where it cannot be moved."""
        stamp = self._now().astimezone(UTC).strftime(_STAMP)
        move_file(path, self._folder / f"{id}.{stamp}{SUFFIX}")

    def take(self, id: str, path: Path) -> None:
        """Give the session's newest file back to path.

        Raises:
            SessionMissing: none of this id is in the bin.
            SessionError: a chat of this id is there again; neither is touched.
        """
        found = [file for file in self._files() if _parts(file)[0] == id]
        if not found:
            raise SessionMissing(session=id)
        if path.exists():
            raise SessionError(session=id, detail="a chat of this id is there again")
        move_file(max(found, key=lambda file: file.name), path)

    def purge(self) -> None:
        """Delete for good what has been in the bin longer than 30 days."""
        for file in self._files():
            deleted = _parts(file)[1]
            if deleted and self._now() - deleted > KEPT:
                try:
                    file.unlink(missing_ok=True)
                except OSError as error:
                    raise storage_error(file, error) from error

    def _files(self) -> list[Path]:
        return [file for file in self._folder.glob(f"*{SUFFIX}") if file.is_file()]


def _parts(file: Path) -> tuple[str, datetime | None]:
    id, _, stamp = file.name.removesuffix(SUFFIX).rpartition(".")
    try:
        return id, datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC)
    except ValueError:
        return id, None
