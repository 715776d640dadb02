"""Reads what a GGUF file says of its model, and nothing of its weights.

The format is docs/gguf.md of ggml: magic, version, counts, key/values, tensor table, data. The file
is read and never mapped: one that shrinks under a mapping would end the program.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from struct import Struct
from typing import Any

from rony_desktop.contract.error import ModelCut, ModelForeign, ModelMissing
from rony_desktop.contract.model import ModelMetadata
from rony_desktop.model.foreign import name_of
from rony_desktop.model.window import Window

MAGIC = b"GGUF"
VERSIONS = (2, 3)
ALIGNMENT = 32
KEYS_LIMIT = 10_000
TENSORS_LIMIT = 65_536
DIMENSIONS_LIMIT = 8
TEXT_LIMIT_BYTES = 1024 * 1024
TEXTS_LIMIT_BYTES = 8 * 1024 * 1024
LAYERS_LIMIT = 4096
_START_BYTES = 64

_SCALARS = dict(zip((0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12), "BbHhIif?Qqd", strict=True))
_STRING, _ARRAY = 8, 9
_U32, _U64 = Struct("<I"), Struct("<Q")
_HEAD = Struct("<4sIQQ")
_ARRAY_HEAD = Struct("<IQ")
_PLACE = Struct("<IQ")

# Bytes of one block and the values in it, by ggml_type (ggml.h).
_BLOCKS = {
    0: (4, 1), 1: (2, 1), 2: (18, 32), 3: (20, 32), 6: (22, 32), 7: (24, 32), 8: (34, 32),
    9: (40, 32), 10: (84, 256), 11: (110, 256), 12: (144, 256), 13: (176, 256), 14: (210, 256),
    15: (292, 256), 16: (66, 256), 17: (74, 256), 18: (98, 256), 19: (50, 256), 20: (18, 32),
    21: (110, 256), 22: (82, 256), 23: (136, 256), 24: (1, 1), 25: (2, 1), 26: (4, 1), 27: (8, 1),
    28: (8, 1), 29: (56, 256), 30: (2, 1), 34: (54, 256), 35: (66, 256), 39: (17, 32),
    40: (36, 64), 41: (18, 128),
}  # fmt: skip


@dataclass(slots=True)
class _Header:
    """Scalars by key; of each list its length, and its largest number where it is by layer."""

    values: dict[str, Any] = field(default_factory=dict)
    lengths: dict[str, int] = field(default_factory=dict)
    largest: dict[str, int] = field(default_factory=dict)
    text_bytes: int = 0


class GgufMetadataReader:
    """Reads headers of versions 2 and 3; keeps nothing between files."""

    def read(self, path: Path) -> ModelMetadata:
        """Read one header and check that the data it announces is there. Blocking.

        Raises:
            ModelMissing: there is no file that can be read.
            ModelForeign: the file is no GGUF, or of a version or byte order not read here.
            ModelCut: the file ends too early or contradicts itself.
        """
        try:
            # A pipe or device would block, so it is looked at before it is opened.
            _regular(path, path.stat())
            with path.open("rb", buffering=0) as file:
                size = os.fstat(file.fileno()).st_size
                _check_start(path, file.read(_START_BYTES))
                return _read(Window(file, path, size), path, size)
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
    if len(start) < _HEAD.size:
        raise ModelCut(path=path, detail="it ends inside its header")
    (version,) = _U32.unpack_from(start, len(MAGIC))
    if version and not version & 0xFFFF:
        raise ModelForeign(path=path, detail="it is made for big-endian machines")
    if version not in VERSIONS:
        raise ModelForeign(path=path, detail=f"its GGUF version is {version}, not 2 or 3")


def _read(window: Window, path: Path, size: int) -> ModelMetadata:
    _, _, tensors, keys = window.unpack(_HEAD)
    if keys > KEYS_LIMIT or tensors > TENSORS_LIMIT:
        raise window.cut(f"it claims {keys} keys and {tensors} tensors")
    header = _Header()
    for _ in range(keys):
        _read_pair(window, header)
    data_bytes = _read_tensors(window, tensors)
    missing = _data_start(window, header) + data_bytes - size
    if tensors and missing > 0:
        raise window.cut(f"at least {missing} of its {size + missing} bytes are missing")
    return _metadata(header, path, size, window.cut)


def _read_pair(window: Window, header: _Header) -> None:
    key = window.text(TEXT_LIMIT_BYTES)
    if key is None:
        raise window.cut("it has a key that is too long")
    (kind,) = window.unpack(_U32)
    if kind == _ARRAY:
        _read_array(window, header, key)
    elif kind == _STRING:
        start = window.at
        text = window.text(min(TEXT_LIMIT_BYTES, TEXTS_LIMIT_BYTES - header.text_bytes))
        if text is not None:
            header.values[key] = text
            header.text_bytes += window.at - start
    elif kind in _SCALARS:
        (header.values[key],) = window.unpack(Struct("<" + _SCALARS[kind]))
    else:
        raise window.cut(f"the value of {key[:80]!r} has the unknown type {kind}")


def _read_array(window: Window, header: _Header, key: str) -> None:
    kind, count = window.unpack(_ARRAY_HEAD)
    header.lengths[key] = count
    code = _SCALARS.get(kind)
    if kind == _STRING:
        window.skip_texts(count)
    elif code is None:
        raise window.cut(f"the list {key[:80]!r} has the unknown type {kind}")
    elif count <= LAYERS_LIMIT and code not in "fd?":
        window.spend(count)
        numbers = window.unpack(Struct(f"<{count}{code}"))
        header.largest[key] = max(numbers, default=0)
    else:
        window.skip(count * Struct("<" + code).size)


def _read_tensors(window: Window, count: int) -> int:
    """Return where the data of the last tensor ends, counted from the start of the data."""
    end = 0
    for _ in range(count):
        window.skip_texts(1)
        (dimensions,) = window.unpack(_U32)
        if dimensions > DIMENSIONS_LIMIT:
            raise window.cut(f"it has a tensor of {dimensions} dimensions")
        shape = window.unpack(Struct(f"<{dimensions}Q"))
        kind, offset = window.unpack(_PLACE)
        size, values = _BLOCKS.get(kind, (0, 1))
        end = max(end, offset + -(-prod(shape) // values) * size)
    return end


def _data_start(window: Window, header: _Header) -> int:
    alignment = header.values.get("general.alignment", ALIGNMENT)
    if not isinstance(alignment, int) or alignment <= 0:
        raise window.cut(f"its alignment is {alignment!r}")
    return -(-window.at // alignment) * alignment


def _metadata(
    header: _Header, path: Path, size: int, cut: Callable[[str], ModelCut]
) -> ModelMetadata:
    values = header.values
    architecture = values.get("general.architecture")
    if not isinstance(architecture, str) or not architecture:
        if values.get("split.no"):
            raise cut("it is a later part of a model in several files; choose the first part")
        raise cut("it does not name its architecture")

    def number(name: str, default: int = 0) -> int:
        key = f"{architecture}.{name}"
        value = values.get(key, header.largest.get(key))
        return value if isinstance(value, int) and value >= 0 else default

    heads, width = number("attention.head_count"), number("embedding_length")
    head_width = width // heads if heads else 0
    return ModelMetadata(
        path=path,
        size_bytes=size,
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
        chat_template=_text(values.get("tokenizer.chat_template")),
        values=values,
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
