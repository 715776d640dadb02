from __future__ import annotations

import errno
import io
from pathlib import Path
from struct import Struct, pack

import pytest

from rony_desktop.contract.error import ModelCut, ModelMissing
from rony_desktop.model.window import BLOCK_BYTES, HEADER_LIMIT_BYTES, ITEMS_LIMIT, Window

PATH = Path("model.gguf")
BYTE = Struct("<B")


def text(value: bytes) -> bytes:
    return pack("<Q", len(value)) + value


def window(content: bytes, size: int | None = None) -> Window:
    return Window(io.BytesIO(content), PATH, len(content) if size is None else size)


def test_reads_on_from_where_it_stands() -> None:
    place = window(pack("<BI", 7, 9) + text(b"ab") + pack("<B", 1))
    assert place.unpack(Struct("<BI")) == (7, 9)
    assert place.text(10) == "ab"
    assert place.unpack(BYTE) == (1,)
    assert place.at == 16


def test_values_may_lie_across_blocks() -> None:
    place = window(bytes(BLOCK_BYTES - 3) + pack("<Q", 5) + text(b"x" * 5))
    place.unpack(BYTE)
    place.skip(BLOCK_BYTES - 4)
    assert place.unpack(Struct("<Q")) == (5,)
    assert place.text(10) == "xxxxx"


def test_texts_are_passed_over_across_blocks() -> None:
    place = window(text(b"x" * 1000) * 5000 + pack("<B", 9))
    place.skip_texts(5000)
    assert place.unpack(BYTE) == (9,)


def test_a_long_text_is_passed_over_and_not_given() -> None:
    place = window(text(b"x" * 11) + pack("<B", 9))
    assert place.text(10) is None
    assert place.unpack(BYTE) == (9,)


def test_bytes_that_are_no_utf8_are_replaced() -> None:
    assert window(text(b"a\xffb")).text(10) == "a\ufffdb"


@pytest.mark.parametrize("count", [9, 2**64])
def test_nothing_is_read_behind_the_end(count: int) -> None:
    place = window(bytes(8))
    with pytest.raises(ModelCut):
        place.skip(count)
    with pytest.raises(ModelCut):
        place.unpack(Struct("<9B"))
    assert place.unpack(Struct("<8B")) == (0,) * 8


def test_a_header_has_a_limit() -> None:
    place = window(b"", size=2**40)
    place.skip(HEADER_LIMIT_BYTES)
    with pytest.raises(ModelCut, match="larger than 256 MiB"):
        place.skip(1)


def test_items_have_a_limit_over_the_whole_header() -> None:
    place = window(b"")
    place.spend(ITEMS_LIMIT)
    with pytest.raises(ModelCut):
        place.spend(1)


def test_a_file_that_shrinks_is_cut() -> None:
    with pytest.raises(ModelCut, match="shorter"):
        window(b"", size=100).unpack(BYTE)


def test_a_disk_that_fails_is_named() -> None:
    class Failing(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise OSError(errno.EIO, "Input/output error")

    with pytest.raises(ModelMissing, match="Input/output error"):
        Window(Failing(), PATH, 100).unpack(BYTE)
