"""Reads what a GGUF model says of itself, and nothing of its weights.

A file is read and never mapped: one that shrinks under a mapping would end the program.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from struct import Struct

from rony_desktop.contract.error import ModelCut, ModelForeign, ModelMissing
from rony_desktop.contract.model import ModelMetadata
from rony_desktop.model.foreign import name_of
from rony_desktop.model.header import HEAD_BYTES, MAGIC, Header, read_header
from rony_desktop.model.window import Window

VERSIONS = (2, 3)
_START_BYTES = 64
_U32 = Struct("<I")
_FIRST = re.compile(r"-00001-of-(\d{5})(?=\.gguf$)", re.IGNORECASE)
_TEMPLATE = "tokenizer.chat_template"


@dataclass(frozen=True, slots=True)
class _File:
    path: Path
    size: int
    header: Header


class GgufMetadataReader:
    """Reads headers of versions 2 and 3; keeps nothing between files."""

    def read(self, path: Path) -> ModelMetadata:
        """Read the header of a model and check that its data is there. Blocking.

        Of a model in several files path is the first, and the others stand beside it.

        Raises:
            ModelMissing: there is no file that can be read, or a part of it is not there.
            ModelForeign: the file is no GGUF, or of a version or byte order not read here.
            ModelCut: the file ends too early or contradicts itself.
        """
        first = _open(path)
        count = first.header.values.get("split.count")
        files = [first]
        if isinstance(count, int) and count > 1 and "general.architecture" in first.header.values:
            files += _later(first, count)
        return _metadata(files)


def _open(path: Path) -> _File:
    try:
        # A pipe or device would block, so it is looked at before it is opened.
        _regular(path, path.stat())
        with path.open("rb", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size
            _check_start(path, file.read(_START_BYTES))
            return _File(path, size, read_header(Window(file, path, size), size))
    except (OSError, ValueError) as error:
        detail = getattr(error, "strerror", None) or error
        raise ModelMissing(path=path, detail=detail) from error


def _regular(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        kind = "it is a folder" if stat.S_ISDIR(found.st_mode) else "it is not an ordinary file"
        raise ModelMissing(path=path, detail=kind)


def _check_start(path: Path, start: bytes) -> None:
    if not start.startswith(MAGIC):
        if start and MAGIC.startswith(start):
            raise ModelCut(path=path, detail=f"it has {len(start)} bytes")
        raise ModelForeign(path=path, detail=name_of(start))
    if len(start) < HEAD_BYTES:
        raise ModelCut(path=path, detail="it ends inside its header")
    (version,) = _U32.unpack_from(start, len(MAGIC))
    if version and not version & 0xFFFF:
        raise ModelForeign(path=path, detail="it is made for big-endian machines")
    if version not in VERSIONS:
        raise ModelForeign(path=path, detail=f"its GGUF version is {version}, not 2 or 3")


def _later(first: _File, count: int) -> Iterator[_File]:
    """Read the other parts, named as llama-gguf-split names them."""
    named = _FIRST.search(first.path.name)
    if named is None or int(named[1]) != count:
        detail = f"it is the first of {count} parts, and not named -00001-of-{count:05}.gguf"
        raise ModelCut(path=first.path, detail=detail)
    for number in range(2, count + 1):
        name = _FIRST.sub(f"-{number:05}-of-{named[1]}", first.path.name)
        try:
            part = _open(first.path.with_name(name))
        except ModelMissing as error:
            detail = f"it is part {number} of {count} ({error.params['detail']})"
            raise ModelMissing(path=first.path.with_name(name), detail=detail) from error
        if part.header.values.get("split.no") != number - 1:
            raise ModelCut(path=part.path, detail=f"it is not part {number} of its model")
        yield part


def _metadata(files: list[_File]) -> ModelMetadata:
    first, header = files[0], files[0].header
    values = header.values
    architecture = values.get("general.architecture")
    if not isinstance(architecture, str) or not architecture:
        detail = "it does not name its architecture"
        if values.get("split.no"):
            detail = "it is a later part of a model in several files; choose the first part"
        raise ModelCut(path=first.path, detail=detail)

    def number(name: str, default: int = 0) -> int:
        key = f"{architecture}.{name}"
        value = values.get(key, max(header.lists.get(key, ()), default=None))
        return value if isinstance(value, int) and value >= 0 else default

    heads, width = number("attention.head_count"), number("embedding_length")
    head_width = width // heads if heads else 0
    return ModelMetadata(
        path=first.path,
        size_bytes=sum(file.size for file in files),
        architecture=architecture,
        name=_text(values.get("general.name")),
        context_length=number("context_length"),
        block_count=number("block_count"),
        embedding_length=width,
        head_count=heads,
        head_count_kv=number("attention.head_count_kv", heads),
        key_length=number("attention.key_length", head_width),
        value_length=number("attention.value_length", head_width),
        vocabulary_size=header.lengths.get("tokenizer.ggml.tokens", number("vocab_size")),
        chat_template=_text(values.get(_TEMPLATE)),
        values=values,
        lists=header.lists,
        tensors=tuple(tensor for file in files for tensor in file.header.tensors),
        parts=tuple(file.path for file in files[1:]),
        tokenizer=_text(values.get("tokenizer.ggml.model")),
        tokenizer_pre=_text(values.get("tokenizer.ggml.pre")),
        templates=_templates(header),
    )


def _templates(header: Header) -> dict[str, str]:
    """Chat templates that have a name, such as tool_use."""
    start = _TEMPLATE + "."
    return {
        key.removeprefix(start): text
        for key, text in header.values.items()
        if key.startswith(start) and isinstance(text, str)
    }


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
