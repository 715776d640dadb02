"""The header of one GGUF file: its keys and its tensor table.

The format is docs/gguf.md of ggml: magic, version, counts, key/values, tensor table, data.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from struct import Struct
from typing import Any

from rony_desktop.contract.model import Tensor
from rony_desktop.model.tensor import size_of
from rony_desktop.model.window import Window

MAGIC = b"GGUF"
ALIGNMENT = 32
KEYS_LIMIT = 10_000
TENSORS_LIMIT = 65_536
NAME_LIMIT_BYTES = 1024
DIMENSIONS_LIMIT = 8
TEXT_LIMIT_BYTES = 1024 * 1024
TEXTS_LIMIT_BYTES = 8 * 1024 * 1024
LAYERS_LIMIT = 4096

_SCALARS = dict(zip((0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12), "BbHhIif?Qqd", strict=True))
_STRING, _ARRAY = 8, 9
_U32 = Struct("<I")
_COUNTS = Struct("<4sIQQ")
_ARRAY_HEAD = Struct("<IQ")
_PLACE = Struct("<IQ")
HEAD_BYTES = _COUNTS.size


@dataclass(slots=True)
class Header:
    """Scalars by key; of each list its length, and its numbers where it is by layer."""

    values: dict[str, Any] = field(default_factory=dict)
    lengths: dict[str, int] = field(default_factory=dict)
    lists: dict[str, tuple[int, ...]] = field(default_factory=dict)
    tensors: list[Tensor] = field(default_factory=list)
    text_bytes: int = 0


def read_header(window: Window, size: int) -> Header:
    """Read the header of a file of this size and check that the data it announces is there.

    Raises:
        ModelCut: the file ends too early or contradicts itself.
    """
    _, _, tensors, keys = window.unpack(_COUNTS)
    if keys > KEYS_LIMIT or tensors > TENSORS_LIMIT:
        raise window.cut(f"it claims {keys} keys and {tensors} tensors")
    header = Header()
    for _ in range(keys):
        _read_pair(window, header)
    for _ in range(tensors):
        header.tensors.append(_read_tensor(window))
    ends = (tensor.offset_bytes + (tensor.size_bytes or 0) for tensor in header.tensors)
    missing = _data_start(window, header) + max(ends, default=0) - size
    if tensors and missing > 0:
        raise window.cut(f"at least {missing} of its {size + missing} bytes are missing")
    return header


def _read_pair(window: Window, header: Header) -> None:
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


def _read_array(window: Window, header: Header, key: str) -> None:
    kind, count = window.unpack(_ARRAY_HEAD)
    header.lengths[key] = count
    code = _SCALARS.get(kind)
    if kind == _STRING:
        window.skip_texts(count)
    elif code is None:
        raise window.cut(f"the list {key[:80]!r} has the unknown type {kind}")
    elif count <= LAYERS_LIMIT and code not in "fd":
        window.spend(count)
        header.lists[key] = window.unpack(Struct(f"<{count}{code}"))
    else:
        window.skip(count * Struct("<" + code).size)


def _read_tensor(window: Window) -> Tensor:
    name = window.text(NAME_LIMIT_BYTES)
    if name is None:
        raise window.cut("it has a tensor whose name is too long")
    (dimensions,) = window.unpack(_U32)
    if dimensions > DIMENSIONS_LIMIT:
        raise window.cut(f"it has a tensor of {dimensions} dimensions")
    shape = window.unpack(Struct(f"<{dimensions}Q"))
    kind, offset = window.unpack(_PLACE)
    return Tensor(name, shape, kind, offset, size_of(kind, shape))


def _data_start(window: Window, header: Header) -> int:
    alignment = header.values.get("general.alignment", ALIGNMENT)
    if not isinstance(alignment, int) or alignment <= 0:
        raise window.cut(f"its alignment is {alignment!r}")
    return -(-window.at // alignment) * alignment
