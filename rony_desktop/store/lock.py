"""One thing at a time per name: between tasks of this process, and between processes."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from rony_desktop.contract.error import RonyError
from rony_desktop.store.atomic import storage_error

T = TypeVar("T")
LOCK_WAIT_S = 2.0
LOCK_POLL_S = 0.02


class Locks:
    """Runs blocking work in threads, one at a time per name."""

    def __init__(self) -> None:
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def run(self, name: str, work: Callable[[], T]) -> T:
        """The result of work; cancelling the caller does not stop work that has begun."""
        async with self._locks[name]:
            # A thread cannot be stopped: the lock is held until it is done, or the next write
            # would overtake this one.
            return await whole(asyncio.to_thread(work))


async def whole(work: Coroutine[Any, Any, T], ask: Callable[[], None] = lambda: None) -> T:
    """The result of work; cancelling the caller does not stop it and counts at its end.

    ask is called then, so that work that can may end soon.
    """
    job = asyncio.create_task(work)
    try:
        return await asyncio.shield(job)
    except asyncio.CancelledError:
        ask()
        while not job.done():
            try:
                await asyncio.wait({job})
            except asyncio.CancelledError:
                continue
        job.cancelled() or job.exception()
        raise


@contextmanager
def alone(file: Path, busy: RonyError) -> Iterator[None]:
    """Keep every other process that asks for the same lock file out meanwhile.

    A killed process leaves the file and not the lock. busy is raised where another process still
    has it after LOCK_WAIT_S.

    Raises:
        StorageError: the file cannot be made.
    """
    release = held(file, busy, LOCK_WAIT_S)
    try:
        yield
    finally:
        release()


def held(file: Path, busy: RonyError, wait_s: float = 0.0) -> Callable[[], None]:
    """Take a lock file and return what gives it back; see alone().

    Raises:
        StorageError: the file cannot be made.
    """
    from filelock import FileLock, Timeout

    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = FileLock(file, thread_local=False)
        lock.acquire(timeout=wait_s, poll_interval=LOCK_POLL_S)
    except Timeout as error:
        raise busy from error
    except OSError as error:
        raise storage_error(file.parent, error) from error
    return lock.release
