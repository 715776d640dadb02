"""Unpacks a release archive; whatever its names say, nothing is written outside of one folder."""

from __future__ import annotations

import gzip
import lzma
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

from rony_desktop.contract.error import InstallError, InstallUnsafe
from rony_desktop.contract.halt import Halt

FILES_LIMIT = 5000
UNPACKED_LIMIT_BYTES = 8 * 1024**3
BLOCK_BYTES = 1024 * 1024
LINK_LIMIT_BYTES = 1024
_UNFIT = re.compile(r'[\x00-\x1f\x7f\\:*?"<>|]')
_BROKEN = (
    tarfile.TarError,
    gzip.BadGzipFile,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    IndexError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    UnicodeError,
)


@dataclass(frozen=True, slots=True)
class _Entry:
    """One thing in an archive: its name, and its bytes, or the name it is a link to."""

    name: str
    open: Callable[[], IO[bytes] | None]
    link: str = ""
    folder: bool = False
    program: bool = False


def unpack(archive: Path, folder: Path, halt: Halt) -> None:
    """Unpack a zip or tar.gz file into an empty or missing folder. Blocking.

    Files and folders come out, and links to a file beside them, which is all that libraries need.
    What was unpacked before an error is left for the caller to delete.

    Raises:
        InstallUnsafe: the archive is damaged, too large, or tries to write somewhere else.
        InstallError: the disk refuses.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _entries(archive) as entries:
            _Unpacking(archive.name, folder, halt).run(entries)
    except (FileExistsError, NotADirectoryError) as error:
        raise InstallUnsafe(name=archive.name, detail="it holds one name twice") from error
    except _BROKEN as error:
        raise InstallUnsafe(name=archive.name, detail=str(error) or "it is damaged") from error
    except OSError as error:
        raise InstallError(name=archive.name, detail=error.strerror or error) from error


class _Unpacking:
    """One archive on its way into one folder."""

    def __init__(self, name: str, folder: Path, halt: Halt) -> None:
        self._name = name
        self._folder = folder
        self._halt = halt
        self._left = UNPACKED_LIMIT_BYTES
        self._links: list[tuple[Path, str]] = []

    def run(self, entries: Iterator[_Entry]) -> None:
        """Unpack all of it; links are made last, so that nothing is written through one."""
        for number, entry in enumerate(entries):
            self._halt.check()
            if number >= FILES_LIMIT:
                raise self._unsafe("it holds too many files")
            self._take(entry)
        for target, name in self._links:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.symlink_to(name)

    def _take(self, entry: _Entry) -> None:
        if entry.folder and not PurePosixPath(entry.name).parts:
            return  # tar's "./"
        target = self._folder / self._inside(entry.name)
        if entry.link:
            self._links.append((target, self._beside(entry.link)))
        elif entry.folder:
            target.mkdir(parents=True, exist_ok=True)
        else:
            self._write(entry, target)

    def _write(self, entry: _Entry, target: Path) -> None:
        source = entry.open()
        if source is None:
            raise self._unsafe(f"{entry.name!r} is no file")
        target.parent.mkdir(parents=True, exist_ok=True)
        with source, target.open("xb") as file:
            while block := source.read(BLOCK_BYTES):
                self._halt.check()
                self._left -= len(block)
                if self._left < 0:
                    raise self._unsafe("it unpacks to too much")
                file.write(block)
        target.chmod(0o755 if entry.program else 0o644)

    def _inside(self, name: str) -> PurePosixPath:
        """A name as a path below a folder; every other one is refused."""
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or not path.parts or _UNFIT.search(name):
            raise self._unsafe(f"it holds a file that is called {name!r}")
        return path

    def _beside(self, link: str) -> str:
        """The plain name a link leads to; one that leads to another folder is refused."""
        if PurePosixPath(link).parts != (link,) or link == ".." or _UNFIT.search(link):
            raise self._unsafe(f"it holds a link to {link!r}")
        return link

    def _unsafe(self, detail: str) -> InstallUnsafe:
        return InstallUnsafe(name=self._name, detail=detail)


@contextmanager
def _entries(archive: Path) -> Iterator[Iterator[_Entry]]:
    """What is in an archive, which is told by its bytes and not by its name."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as zipped:
            yield (_zip_entry(zipped, info) for info in zipped.infolist())
    else:
        with tarfile.open(archive, "r:gz") as tar:
            yield (_tar_entry(tar, info) for info in tar)


def _zip_entry(zipped: zipfile.ZipFile, info: zipfile.ZipInfo) -> _Entry:
    mode = info.external_attr >> 16
    link = ""
    if stat.S_ISLNK(mode):
        with zipped.open(info) as file:
            link = file.read(LINK_LIMIT_BYTES).decode() or "/"
    return _Entry(
        name=info.filename,
        open=lambda: zipped.open(info),
        link=link,
        folder=info.is_dir(),
        program=bool(mode & stat.S_IXUSR),
    )


def _tar_entry(tar: tarfile.TarFile, info: tarfile.TarInfo) -> _Entry:
    def opened() -> Any:
        return tar.extractfile(info) if info.isreg() else None

    return _Entry(
        name=info.name,
        open=opened,
        link=(info.linkname or "/") if info.issym() else "",
        folder=info.isdir(),
        program=bool(info.mode & stat.S_IXUSR),
    )
