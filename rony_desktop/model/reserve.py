"""Room on the disk for downloads, of which a part is left free."""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rony_desktop.contract.error import DownloadError, DownloadFull, DownloadUnwritable
from rony_desktop.contract.size import gb

MARGIN = 0.1
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


@dataclass(frozen=True, slots=True)
class Reserve:
    """How much may be written into a folder; claimed is what other downloads still need, bytes."""

    folder: Path
    kept_bytes: int
    free: Callable[[Path], int | None]
    claimed: Callable[[], int]

    def left(self) -> int | None:
        """Bytes free on the disk, None where that is not known."""
        return self.free(self.folder)

    def admit(self, name: str, size_bytes: int, missing_bytes: int) -> None:
        """Refuse a download of which missing_bytes do not fit with a tenth of its size to spare.

        Raises:
            DownloadFull: there is not enough room.
        """
        if missing_bytes:
            margin = int(size_bytes * MARGIN)
            self._need(name, missing_bytes + margin + self.claimed())

    def watch(self, name: str) -> int | None:
        """Bytes free on the disk. Raises DownloadFull where what is to be left is reached."""
        return self._need(name, 0)

    def error(self, path: Path, error: OSError) -> DownloadError:
        """The typed error for what the system said about a file of a download."""
        if error.errno in _FULL:
            return self._error(path.name, self.kept_bytes, self.left() or 0)
        return DownloadUnwritable(path=path, detail=error.strerror or error)

    def _need(self, name: str, bytes_: int) -> int | None:
        left, need = self.left(), bytes_ + self.kept_bytes
        if left is not None and left < need:
            raise self._error(name, need, left)
        return left

    def _error(self, name: str, need: int, left: int) -> DownloadFull:
        return DownloadFull(
            name=name,
            need=gb(need),
            free=gb(left),
            folder=self.folder,
        )
