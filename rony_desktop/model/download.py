"""Downloads one thing: every file of it, checked, and the rename that makes it a model."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from rony_desktop.contract.download import DownloadState, Step
from rony_desktop.contract.error import (
    ChecksumMismatch,
    DownloadHeld,
    DownloadUnwritable,
    Failure,
    ModelFileError,
    UpstreamChanged,
)
from rony_desktop.contract.hub import HubFile, Quant
from rony_desktop.model.digest import hashed
from rony_desktop.model.part import (
    Page,
    discard,
    kept_bytes,
    length,
    page_of,
    part_of,
    place,
    read_page,
    write_page,
)
from rony_desktop.model.start import read_start
from rony_desktop.model.transfer import Means, Transfer


class DownloadJob:
    """Brings a quant below a folder. Blocking: it belongs in a thread of its own.

    lock keeps every other program out of one target and returns what lets it in again; it raises
    DownloadBusy.
    """

    def __init__(
        self, quant: Quant, folder: Path, lock: Callable[[Path], Callable[[], None]]
    ) -> None:
        self.quant = quant
        self.target = place(folder, quant.files[0])
        self._folder = folder
        self._targets = {file.name: place(folder, file) for file in quant.files}
        self._lock = lock
        self._page = Page(quant)
        self._note: Failure | None = None

    def run(self, means: Means) -> Path:
        """Return the path of the model, which was not there before all of it was checked.

        Raises:
            HubError, DownloadError: it cannot be finished; what can be used again is kept.
            Halted: it was told to stop; what came is kept.
        """
        release = self._lock(self.target)
        try:
            self._open()
            missing = self.quant.size_bytes - kept_bytes(self._folder, self.quant)
            means.reserve.admit(self.target.name, self.quant.size_bytes, max(0, missing))
            before = 0
            for file in self.quant.files:
                self._bring(file, replace(means, before_bytes=before, tell=self._noting(means)))
                before += file.size_bytes
            self._commit()
        except OSError as error:
            raise means.reserve.error(self.target, error) from error
        finally:
            release()
        return self.target

    def discard(self) -> None:
        """Delete what is kept; the model, where there is one, stays. Raises DownloadError."""
        release = self._lock(self.target)
        try:
            discard(self._folder, self.quant)
        except OSError as error:
            raise DownloadUnwritable(path=self.target, detail=error.strerror or error) from error
        finally:
            release()

    def _open(self) -> None:
        """Go on with what is kept of this quant; of another revision nothing is used."""
        page = read_page(page_of(self.target))
        if page and page.quant != self.quant:
            discard(self._folder, page.quant)
            self._note = UpstreamChanged(name=self.target.name).failure()
            page = None
        self._page = page or Page(self.quant)
        self._save()

    def _bring(self, file: HubFile, means: Means) -> None:
        """Have one file whole: it was so before, it is there already, or it is fetched."""
        target = self._targets[file.name]
        part = part_of(target)
        at = part if part.exists() else target
        if file.name in self._page.whole and length(at) == file.size_bytes:
            return
        if not part.exists() and self._is_there(file, target, means):
            return
        transfer = Transfer(file, part, self._page.etags.get(file.name, ""), means)

        def seen(etag: str) -> None:
            self._page.etags[file.name] = etag
            self._save()

        transfer.run(seen)
        self._check_header(file, part)
        self._page.whole.append(file.name)
        self._save()

    def _check_header(self, file: HubFile, part: Path) -> None:
        try:
            read_start(part, file.size_bytes)
        except ModelFileError as error:
            part.unlink()
            detail = error.params["detail"]
            raise ChecksumMismatch(name=part.name, detail=detail) from error

    def _is_there(self, file: HubFile, target: Path, means: Means) -> bool:
        """Whether the very file lies where it belongs."""
        if not file.sha256 or length(target) != file.size_bytes:
            return False
        means.tell(Step(DownloadState.VERIFYING, means.before_bytes))
        return hashed(target, means.halt) == file.sha256

    def _commit(self) -> None:
        """Rename what is whole, the first file last: with it the model is there."""
        for target in reversed(self._targets.values()):
            part = part_of(target)
            if part.exists():
                _replace(part, target)
                _sync_folder(target.parent)
        page_of(self.target).unlink(missing_ok=True)

    def _save(self) -> None:
        write_page(page_of(self.target), self._page)

    def _noting(self, means: Means) -> Callable[[Step], None]:
        return lambda step: means.tell(step if step.note else replace(step, note=self._note))


def _replace(part: Path, target: Path) -> None:
    try:
        part.replace(target)
    except PermissionError as error:
        # Windows lets nobody replace a file that an engine has mapped.
        if target.exists():
            raise DownloadHeld(name=target.name, detail=error.strerror or error) from error
        raise


def _sync_folder(folder: Path) -> None:
    """Make names durable where the system has such a thing."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
