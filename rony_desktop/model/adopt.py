"""Makes a model of another program ours: by a link, so that nothing is copied, moved or changed."""

from __future__ import annotations

import errno
import re
from itertools import count
from pathlib import Path

from rony_desktop.contract.adopt import Found
from rony_desktop.contract.error import ModelNotLinked
from rony_desktop.contract.port import MetadataReader
from rony_desktop.model.root import is_projector
from rony_desktop.model.split import part_name, parts

NAME_LIMIT_BYTES = 200
_UNFIT = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]+')
# The disk is another one, has no such links, or this file may not have one.
_NO_HARD_LINK = frozenset(
    {errno.EXDEV, errno.EPERM, errno.EACCES, errno.EMLINK, errno.ENOTSUP, errno.ENOSYS}
)
_NO_HARD_LINK_ON_WINDOWS = frozenset({1, 17, 50, 1142})


def adopt(found: Found, folder: Path, reader: MetadataReader) -> Path:
    """Link a model into a folder of ours and return its path there. Blocking.

    A hard link where the disk is the same: it stays when the other program deletes its own; else a
    symbolic one. What was adopted before is found again.

    Raises:
        ModelFileError: it is no model, it is not whole, or it cannot be linked.
    """
    reader.read(found.path)
    if is_projector(found.path):
        raise ModelNotLinked(path=found.path, detail="it is a part of a model that can see")
    sources = parts(found.path)
    for number in count(1):
        targets = _targets(found, folder, len(sources), number)
        if all(map(_is_same, targets, sources)):
            return targets[0]
        if not any(target.exists() or target.is_symlink() for target in targets):
            _link_all(sources, targets)
            return targets[0]
    raise AssertionError("unreachable")


def readable_name(found: Found) -> str:
    """A file's name, without its suffix, that says which model it is."""
    name = _UNFIT.sub("-", found.name.rpartition("/")[2]).strip(" .-") or "model"
    return name.encode()[:NAME_LIMIT_BYTES].decode("utf-8", "ignore")


def _targets(found: Found, folder: Path, files: int, number: int) -> list[Path]:
    tail = f"-{number}" if number > 1 else ""
    whole = f"{readable_name(found)}{tail}.gguf"
    return [folder / part_name(whole, part, files) for part in range(1, files + 1)]


def _is_same(target: Path, source: Path) -> bool:
    try:
        return target.samefile(source)
    except OSError:
        return False


def _link_all(sources: tuple[Path, ...], targets: list[Path]) -> None:
    """All files or none. Raises ModelNotLinked."""
    made: list[Path] = []
    try:
        targets[0].parent.mkdir(parents=True, exist_ok=True)
        for source, target in zip(sources, targets, strict=True):
            _link(source.resolve(strict=True), target)
            made.append(target)
    except OSError as error:
        for target in made:
            target.unlink(missing_ok=True)
        detail = error.strerror or str(error)
        raise ModelNotLinked(path=sources[0], detail=detail) from error


def _link(source: Path, target: Path) -> None:
    try:
        target.hardlink_to(source)
    except OSError as error:
        refused = getattr(error, "winerror", None)
        if error.errno not in _NO_HARD_LINK and refused not in _NO_HARD_LINK_ON_WINDOWS:
            raise
        target.symlink_to(source)
