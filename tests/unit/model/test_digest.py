from __future__ import annotations

import hashlib
import threading

from rony_desktop.model.digest import WAITING_BLOCKS, Digest


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
