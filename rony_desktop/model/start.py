"""The start of a GGUF file: whether its header is whole, before the rest of it is there."""

from __future__ import annotations

import os
from pathlib import Path
from struct import Struct

from rony_desktop.contract.error import ModelCut, ModelForeign
from rony_desktop.model.foreign import name_of
from rony_desktop.model.gguf import VERSIONS
from rony_desktop.model.header import HEAD_BYTES, MAGIC, Header, read_header
from rony_desktop.model.window import Window

_START_BYTES = 64
_VERSION = Struct("<I")


def read_start(path: Path, size: int) -> Header:
    """Read the header of a file that will have this size, of which the beginning is there.

    Blocking.

    Raises:
        ModelForeign: it is something else than GGUF, or of a version not read here.
        ModelCut: the header is not whole, contradicts itself or needs a larger file.
        OSError: it cannot be read.
    """
    with path.open("rb", buffering=0) as file:
        start = file.read(_START_BYTES)
        if not is_start(start):
            raise ModelForeign(path=path, detail=name_of(start))
        if len(start) < HEAD_BYTES:
            raise ModelCut(path=path, detail="it ends inside its header")
        (version,) = _VERSION.unpack_from(start, len(MAGIC))
        if version not in VERSIONS:
            raise ModelForeign(path=path, detail=f"its GGUF version is {version}")
        return read_header(Window(file, path, os.fstat(file.fileno()).st_size), size)


def is_start(data: bytes) -> bool:
    """Whether a GGUF file can begin with these bytes, of which there is at least one."""
    return bool(data) and (data.startswith(MAGIC) or MAGIC.startswith(data))
