"""Deletes models: what would go and what that frees is told before."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from rony_desktop.app.download import DownloadService
from rony_desktop.app.model import Models
from rony_desktop.contract.download import Download, DownloadState
from rony_desktop.contract.error import ModelKept, ModelMissing, ModelUnknown
from rony_desktop.contract.removal import Removal
from rony_desktop.model.part import page_of, part_of
from rony_desktop.model.split import parts


class RemoveService:
    """Deletes files below folder, which is the program's own, and nothing anywhere else.

    used tells the id of the model that is in use, "" for none.
    """

    def __init__(
        self,
        models: Models,
        downloads: DownloadService,
        folder: Path,
        used: Callable[[], Awaitable[str]],
    ) -> None:
        self._models = models
        self._downloads = downloads
        self._folder = folder
        self._used = used

    async def plan(self, name: str) -> Removal:
        """What removing a model would do: an id, a path, or the name of a download.

        Raises:
            ModelUnknown, ModelMissing: there is none.
            ModelKept: it is none of the program's own.
        """
        try:
            model = await asyncio.to_thread(self._models.resolve, name)
        except (ModelUnknown, ModelMissing):
            for download in self._downloads.list():
                if _is_called(download, name):
                    return await asyncio.to_thread(_of_download, download)
            raise
        if model.path is None:
            raise ModelKept(path=name, detail="it is no file")
        return await asyncio.to_thread(self._of_model, model.id, model.path)

    async def looked(self, path: Path) -> Removal:
        """The same of a file, and of one that stays: not ours. Raises ModelFileError."""
        try:
            return await self.plan(str(path))
        except ModelKept:
            return Removal((path,), 0, ours=False, name=path.stem, path=path)

    async def remove(self, removal: Removal) -> None:
        """Delete it.

        Raises:
            ModelKept: it is in use, or a file of it cannot be deleted.
            DownloadError: another program downloads it.
            StorageError: the record of its download cannot be deleted.
        """
        if not removal.unfinished and await self._used() == removal.name:
            raise ModelKept(path=removal.path, detail="it is in use")
        for download in self._downloads.list():
            if download.target == removal.path:
                await self._downloads.cancel(download.id)
        await asyncio.to_thread(self._delete, removal)

    def _of_model(self, name: str, path: Path) -> Removal:
        if not path.parent.resolve().is_relative_to(self._folder.resolve()):
            raise ModelKept(path=path, detail="it lies in no folder of this program")
        model = tuple(file for file in parts(path) if _is_there(file))
        rest = (*map(part_of, parts(path)), page_of(path))
        files = (*model, *filter(_is_there, rest))
        linked = not all(map(_freed, model))
        return Removal(files, sum(map(_freed, files)), linked=linked, name=name, path=path)

    def _delete(self, removal: Removal) -> None:
        """Delete the first file first: without it the others are no model."""
        for file in removal.files:
            try:
                file.unlink(missing_ok=True)
            except OSError as error:
                raise ModelKept(path=file, detail=error.strerror or error) from error
        for parent in removal.path.parents:
            if parent == self._folder or not parent.is_relative_to(self._folder):
                return
            with suppress(OSError):  # something else is in it
                parent.rmdir()


def _is_called(download: Download, name: str) -> bool:
    names = (download.name, download.target.stem, download.model, str(download.target))
    whole = f"{download.model}:{download.quant.name}"
    return download.state is not DownloadState.DONE and name in (*names, whole)


def _of_download(download: Download) -> Removal:
    targets = [download.target.with_name(Path(file.name).name) for file in download.quant.files]
    files = tuple(filter(_is_there, (*map(part_of, targets), page_of(download.target))))
    freed = sum(map(_freed, files))
    return Removal(files, freed, name=download.name, path=download.target, unfinished=True)


def _is_there(path: Path) -> bool:
    return path.is_symlink() or path.exists()


def _freed(path: Path) -> int:
    """Bytes that come free with a name: none of a link, or where there is another name."""
    there = path.lstat()
    return there.st_size if stat.S_ISREG(there.st_mode) and there.st_nlink == 1 else 0
