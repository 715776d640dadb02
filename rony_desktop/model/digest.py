"""SHA-256 of files, and of a stream, computed beside it in a thread of its own."""

from __future__ import annotations

import hashlib
import queue
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from rony_desktop.contract.halt import Halt

BLOCK_BYTES = 1024 * 1024
WAITING_BLOCKS = 8


def hashed(path: Path, halt: Halt, told: Callable[[int], None] = lambda _: None) -> str:
    """The SHA-256 of a file; told gets the bytes read so far. Blocking. Raises OSError; Halted."""
    digest, count = hashlib.sha256(), 0
    with path.open("rb", buffering=0) as file:
        while block := file.read(BLOCK_BYTES):
            halt.check()
            digest.update(block)
            count += len(block)
            told(count)
    return digest.hexdigest()


class Digest:
    """Hashes what it is fed; use it as a context, which ends its thread.

    Reading, writing and hashing one after another would take twice the time of a fast network.
    """

    def __init__(self) -> None:
        self._sha256 = hashlib.sha256()
        self._blocks: queue.Queue[bytes | None] = queue.Queue(WAITING_BLOCKS)
        self._thread = threading.Thread(target=self._work, name="digest", daemon=True)

    def __enter__(self) -> Digest:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._blocks.put(None)
        self._thread.join()

    def feed(self, block: bytes) -> None:
        """Hash the next bytes; waits where too many are waiting."""
        self._blocks.put(block)

    def value(self) -> str:
        """The hash of everything so far, as 64 hex digits."""
        self._blocks.join()
        return self._sha256.hexdigest()

    def clear(self) -> None:
        """Begin anew."""
        self._blocks.join()
        self._sha256 = hashlib.sha256()

    def _work(self) -> None:
        while (block := self._blocks.get()) is not None:
            self._sha256.update(block)
            self._blocks.task_done()
