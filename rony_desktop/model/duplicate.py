"""Finds files with the same content, and lets our second copies share the bytes of one."""

from __future__ import annotations

import secrets
import stat
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rony_desktop.contract.adopt import Duplicate
from rony_desktop.contract.error import ModelNotMerged
from rony_desktop.contract.halt import Halt
from rony_desktop.contract.progress import Tell
from rony_desktop.model.digest import hashed


@dataclass(frozen=True, slots=True)
class Mark:
    """What tells one state of one file from every other: who changes it changes this."""

    device: int
    inode: int
    size_bytes: int
    mtime_ns: int

    @classmethod
    def of(cls, path: Path) -> Mark:
        """The mark of a file. Raises OSError."""
        there = path.stat()
        return cls(there.st_dev, there.st_ino, there.st_size, there.st_mtime_ns)

    def __str__(self) -> str:
        return f"{self.device}-{self.inode}-{self.size_bytes}-{self.mtime_ns}"


@dataclass(slots=True)
class Hashes:
    """SHA-256 of files by their marks: what is known, and what was learned meanwhile."""

    known: Mapping[str, str] = field(default_factory=dict)
    learned: dict[str, str] = field(default_factory=dict)

    def get(self, mark: Mark) -> str | None:
        """What is known of it."""
        return self.known.get(str(mark)) or self.learned.get(str(mark))


def find_duplicates(
    ours: Iterable[Path], others: Iterable[Path], hashes: Hashes, halt: Halt, tell: Tell
) -> tuple[Duplicate, ...]:
    """Of what has the same content, which of our files could be links. Blocking, for minutes.

    Only files of one size on one disk are read, and each once; ours are those of our own folders,
    others may be kept and are never replaced. tell gets the bytes read and to be read.

    Raises:
        Halted: halt ended it; what was learned stays in hashes.
    """
    ours = tuple(ours)
    replaceable = {mark: path for mark, path in _marked(ours) if _is_only_name(path)}
    files = {**dict(_marked((*others, *ours))), **replaceable}
    sizes: defaultdict[tuple[int, int], list[Mark]] = defaultdict(list)
    for mark in files:
        sizes[mark.device, mark.size_bytes].append(mark)
    alike = [mark for same in sizes.values() if len(same) > 1 for mark in same if mark.size_bytes]
    _hash(alike, files, hashes, (halt, tell))
    contents: defaultdict[tuple[int, str], list[Mark]] = defaultdict(list)
    for mark in alike:
        if sha256 := hashes.get(mark):
            contents[mark.device, sha256].append(mark)
    found = (_duplicate(sha256, same, files, replaceable) for (_, sha256), same in contents.items())
    return tuple(each for each in found if each)


def merge(duplicate: Duplicate, hashes: Hashes) -> int:
    """Replace our copies by hard links to what is kept; returns the bytes that became free.

    A copy is whole at every moment, before and after. Blocking.

    Raises:
        ModelNotMerged: a file is not any more what was hashed, or cannot be linked.
    """
    saved = 0
    for copy in duplicate.copies:
        try:
            kept, mark = Mark.of(duplicate.kept), Mark.of(copy)
            if {hashes.get(kept), hashes.get(mark)} != {duplicate.sha256}:
                raise ModelNotMerged(path=copy, detail="it was changed meanwhile")
            if kept != mark:
                _replace(copy, duplicate.kept)
                saved += duplicate.size_bytes
        except OSError as error:
            raise ModelNotMerged(path=copy, detail=error.strerror or error) from error
    return saved


def _marked(paths: Iterable[Path]) -> Iterable[tuple[Mark, Path]]:
    for path in paths:
        try:
            yield Mark.of(path), path
        except OSError:  # gone, or forbidden
            continue


def _is_only_name(path: Path) -> bool:
    """Whether the bytes become free when this name goes: no link, and no other name."""
    there = path.lstat()
    return stat.S_ISREG(there.st_mode) and there.st_nlink == 1


def _hash(
    marks: list[Mark], files: Mapping[Mark, Path], hashes: Hashes, ears: tuple[Halt, Tell]
) -> None:
    halt, tell = ears
    todo = [mark for mark in marks if hashes.get(mark) is None]
    done, total = 0, sum(mark.size_bytes for mark in todo)
    for mark in todo:

        def told(count: int, before: int = done) -> None:
            tell(before + count, total)

        sha256 = _sha256(files[mark], halt, told)
        if sha256 and _still(files[mark], mark):
            hashes.learned[str(mark)] = sha256
        done += mark.size_bytes
        tell(done, total)


def _sha256(path: Path, halt: Halt, told: Callable[[int], None]) -> str:
    """The hash of a file, "" where it cannot be read. Raises Halted."""
    try:
        return hashed(path, halt, told)
    except OSError:
        return ""


def _still(path: Path, mark: Mark) -> bool:
    try:
        return Mark.of(path) == mark
    except OSError:
        return False


def _duplicate(
    sha256: str, same: list[Mark], files: Mapping[Mark, Path], ours: Mapping[Mark, Path]
) -> Duplicate | None:
    """One content of several files: kept is another program's where there is one."""
    same = sorted(same, key=lambda mark: (mark in ours, files[mark]))
    copies = tuple(files[mark] for mark in same[1:] if mark in ours)
    return Duplicate(sha256, same[0].size_bytes, files[same[0]], copies) if copies else None


def _replace(copy: Path, kept: Path) -> None:
    temporary = copy.with_name(f".{secrets.token_hex(8)}.link")
    temporary.hardlink_to(kept.resolve(strict=True))
    try:
        temporary.replace(copy)
    finally:
        temporary.unlink(missing_ok=True)
