"""Bounded reading of a binary header: no count or length in it can cost more than a limit."""

from __future__ import annotations

from pathlib import Path
from struct import Struct
from typing import Any, BinaryIO

from rony_desktop.contract.error import ModelCut, ModelMissing

BLOCK_BYTES = 1024 * 1024
HEADER_LIMIT_BYTES = 256 * 1024 * 1024
ITEMS_LIMIT = 2_000_000
_LENGTH = Struct("<Q")


class Window:
    """A place in the header of a file, read forwards block by block.

    The caller owns the file. Every method raises ModelCut where the header ends too early or asks
    for more than a limit, and ModelMissing where the disk fails.
    """

    def __init__(self, file: BinaryIO, path: Path, size: int) -> None:
        self.at = 0
        self._file = file
        self._path = path
        self._size = size
        self._base = 0
        self._data = b""
        self._items = 0

    def unpack(self, form: Struct) -> tuple[Any, ...]:
        """Read one fixed group of values."""
        self._fill(form.size)
        values = form.unpack_from(self._data, self.at - self._base)
        self.at += form.size
        return values

    def text(self, limit_bytes: int) -> str | None:
        """Read one string, or pass it and return None where it is longer than limit_bytes."""
        (length,) = self.unpack(_LENGTH)
        if length > limit_bytes:
            self.skip(length)
            return None
        self._fill(length)
        start = self.at - self._base
        self.at += length
        return self._data[start : start + length].decode("utf-8", "replace")

    def skip(self, count: int) -> None:
        """Pass over bytes without reading them."""
        self._move(self.at + count)

    def skip_texts(self, count: int) -> None:
        """Pass over strings, of which a vocabulary has hundreds of thousands."""
        self.spend(count)
        length = _LENGTH.unpack_from
        while count:
            self._fill(_LENGTH.size)
            data, at = self._data, self.at - self._base
            last = len(data) - _LENGTH.size
            while count and at <= last:
                at += _LENGTH.size + length(data, at)[0]
                count -= 1
            self._move(self._base + at)

    def spend(self, items: int) -> None:
        """Count items that are looked at one by one; no real header has ITEMS_LIMIT of them."""
        self._items += items
        if self._items > ITEMS_LIMIT:
            raise self.cut(f"it claims {items} values in one list")

    def cut(self, detail: str) -> ModelCut:
        """Make the error for this file."""
        return ModelCut(path=self._path, detail=detail)

    def _move(self, at: int) -> None:
        if at > self._size:
            raise self.cut("it ends inside its header")
        if at > HEADER_LIMIT_BYTES:
            raise self.cut(f"its header is larger than {HEADER_LIMIT_BYTES >> 20} MiB")
        self.at = at

    def _fill(self, count: int) -> None:
        """Hold the next count bytes in memory."""
        here = self.at
        if self._base <= here and here + count <= self._base + len(self._data):
            return
        self._move(here + count)
        self.at = here
        try:
            self._file.seek(here)
            self._data = self._file.read(max(count, BLOCK_BYTES))
        except OSError as error:
            raise ModelMissing(path=self._path, detail=error.strerror or error) from error
        self._base = here
        if len(self._data) < count:
            raise self.cut("it became shorter while it was read")
