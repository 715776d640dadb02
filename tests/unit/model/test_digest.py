from __future__ import annotations

import hashlib
import threading
from pathlib import Path

import pytest

from rony_desktop.contract.halt import Halt, Halted
from rony_desktop.model.digest import BLOCK_BYTES, WAITING_BLOCKS, Digest, hashed


def test_the_hash_is_of_everything_in_order() -> None:
    blocks = [bytes([n]) * 70_000 for n in range(3 * WAITING_BLOCKS)]
    with Digest() as digest:
        for block in blocks:
            digest.feed(block)
        assert digest.value() == hashlib.sha256(b"".join(blocks)).hexdigest()
        digest.clear()
        digest.feed(b"x")
        assert digest.value() == hashlib.sha256(b"x").hexdigest()


def test_its_thread_ends_with_it() -> None:
    with Digest():
        pass
    assert "digest" not in [thread.name for thread in threading.enumerate()]


def test_a_file_is_hashed_with_progress_until_it_is_halted(tmp_path: Path) -> None:
    file, content, told = tmp_path / "f", b"ab" * BLOCK_BYTES, list[int]()
    file.write_bytes(content)
    assert hashed(file, Halt(), told.append) == hashlib.sha256(content).hexdigest()
    assert told == [BLOCK_BYTES, 2 * BLOCK_BYTES]
    halt = Halt()
    halt.stop()
    with pytest.raises(Halted):
        hashed(file, halt)
