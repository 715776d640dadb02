"""Brings one file here: continues what is kept, waits out what breaks, knows what came."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from rony_desktop.contract.download import DownloadState, Step
from rony_desktop.contract.error import (
    ChecksumMismatch,
    DownloadStalled,
    Failure,
    HubBusy,
    HubError,
    HubForeign,
    HubUnreachable,
    UpstreamChanged,
    fill,
)
from rony_desktop.contract.halt import Halt
from rony_desktop.contract.hub import Body, HubFile
from rony_desktop.contract.port import ModelHub
from rony_desktop.model.body import rest_of
from rony_desktop.model.digest import Digest
from rony_desktop.model.flush import Flush
from rony_desktop.model.foreign import name_of
from rony_desktop.model.reserve import Reserve
from rony_desktop.model.start import is_start

READ_BYTES = 1024 * 1024
WATCH_S = 0.2


@dataclass(frozen=True, slots=True)
class Patience:
    """Reconnections in a row without a byte, and the waits between them, which double."""

    attempts: int = 10
    first_s: float = 1.0
    longest_s: float = 60.0

    def wait_s(self, attempt: int) -> float:
        """Seconds before an attempt, of which the first is 1."""
        return min(self.longest_s, self.first_s * 2.0 ** (attempt - 1))


PATIENCE = Patience()


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What a transfer works with; before_bytes are of files that came before it.

    tell is called in the transfer's thread, while bytes come every WATCH_S.
    """

    hub: ModelHub
    reserve: Reserve
    patience: Patience
    halt: Halt
    tell: Callable[[Step], None]
    before_bytes: int = 0


@dataclass(frozen=True, slots=True)
class _Sink:
    """Where bytes go: into the file, its hash, and through to the disk."""

    file: BinaryIO
    digest: Digest
    flush: Flush

    def take(self, block: bytes) -> None:
        rest = memoryview(block)
        while rest:
            rest = rest[self.file.write(rest) :]
        self.digest.feed(block)
        self.flush.wrote(len(block))


class Transfer:
    """One file on its way into part. Blocking; etag is the version that came so far."""

    def __init__(self, file: HubFile, part: Path, etag: str, means: Means) -> None:
        self.etag = etag
        self._file = file
        self._part = part
        self._means = means
        self._name = file.name.rpartition("/")[2]
        self._done = 0
        self._told = 0.0
        self._note: Failure | None = None

    def run(self, seen: Callable[[str], None]) -> None:
        """Return when every byte is here, written through, and is what the hub announced.

        seen is called with the version before the first byte of it is kept.

        Raises:
            HubError, DownloadError: it cannot be finished.
            Halted: it was told to stop; what came is kept.
        """
        with self._sink() as sink:
            self._take_in(sink)
            for last in (False, True):
                self._complete(sink, seen)
                self._tell(DownloadState.VERIFYING)
                wrong = self._wrong(sink.digest)
                if not wrong:
                    os.fsync(sink.file.fileno())
                    return
                self._restart(sink, ChecksumMismatch(name=self._name, detail=wrong))
                if last:
                    raise ChecksumMismatch(name=self._name, detail=wrong)

    @contextmanager
    def _sink(self) -> Iterator[_Sink]:
        try:
            self._part.parent.mkdir(parents=True, exist_ok=True)
            with (
                self._part.open("a+b", buffering=0) as file,
                Digest() as digest,
                Flush(file.fileno()) as flush,
            ):
                yield _Sink(file, digest, flush)
        except OSError as error:
            raise self._means.reserve.error(self._part, error) from error

    def _take_in(self, sink: _Sink) -> None:
        """Hash what is kept; more than there should be is of something else."""
        kept = os.fstat(sink.file.fileno()).st_size
        if kept > self._file.size_bytes:
            kept = 0
            sink.file.truncate(0)
        sink.file.seek(0)
        while self._done < kept and (block := sink.file.read(READ_BYTES)):
            self._means.halt.check()
            sink.digest.feed(block)
            self._done += len(block)
            self._tell(DownloadState.VERIFYING, now=False)

    def _complete(self, sink: _Sink, seen: Callable[[str], None]) -> None:
        """Fetch the rest, however often it breaks off."""
        attempt = 0
        while self._done < self._file.size_bytes:
            before = self._done
            try:
                self._append(sink, seen)
            except UpstreamChanged as error:
                if self._note and self._note.code == error.code:
                    raise
                self._restart(sink, error)
            except (HubUnreachable, HubBusy) as error:
                attempt = 1 if self._done > before else attempt + 1
                self._rest(attempt, error)

    def _append(self, sink: _Sink, seen: Callable[[str], None]) -> None:
        """Fetch from where we are until the end or a break."""
        self._tell(DownloadState.RUNNING)
        with self._means.hub.fetch(self._file, self._done, self._means.halt) as answered:
            body = self._looked_at(answered)
            if body.etag != self.etag:
                seen(body.etag)
                self.etag = body.etag
            for block in rest_of(body, self._done):
                self._keep(block, sink)

    def _looked_at(self, body: Body) -> Body:
        """The same body; what is no model is refused before anything that is kept is given up."""
        first = next(body.blocks, b"")
        if body.start > self._done:
            raise HubForeign(host=self._file.model, detail="it sent another part than was asked")
        if body.start == 0 and not is_start(first):
            raise HubForeign(host=self._file.model, detail=name_of(first))
        other = body.size_bytes not in (0, self._file.size_bytes)
        if self._done and (other or (self.etag and body.etag != self.etag)):
            raise UpstreamChanged(name=self._name)
        if other:
            detail = f"it has {body.size_bytes} bytes instead of {self._file.size_bytes}"
            raise ChecksumMismatch(name=self._name, detail=detail)
        return replace(body, blocks=chain((first,), body.blocks))

    def _keep(self, block: bytes, sink: _Sink) -> None:
        if self._done + len(block) > self._file.size_bytes:
            detail = f"more than its {self._file.size_bytes} bytes came"
            raise ChecksumMismatch(name=self._name, detail=detail)
        sink.take(block)
        self._done += len(block)
        self._tell(DownloadState.RUNNING, now=False)

    def _rest(self, attempt: int, error: HubError) -> None:
        patience = self._means.patience
        if attempt > patience.attempts:
            cause = fill(error.sentence, error.params).removesuffix(".")
            raise DownloadStalled(
                name=self._name, attempts=patience.attempts, detail=cause
            ) from error
        self._tell(DownloadState.STALLED, attempt, error.failure())
        asked = float(error.params["seconds"]) if isinstance(error, HubBusy) else 0.0
        self._means.halt.wait(max(asked, patience.wait_s(attempt)))

    def _restart(self, sink: _Sink, error: UpstreamChanged | ChecksumMismatch) -> None:
        sink.file.truncate(0)
        sink.digest.clear()
        self._done, self.etag, self._note = 0, "", error.failure()

    def _wrong(self, digest: Digest) -> str:
        """What of the whole file is not as announced, "" where it is."""
        found = digest.value()
        if self._file.sha256 and found != self._file.sha256:
            return f"SHA-256 {found[:12]}... instead of {self._file.sha256[:12]}..."
        return ""

    def _tell(
        self,
        state: DownloadState,
        attempt: int = 0,
        note: Failure | None = None,
        *,
        now: bool = True,
    ) -> None:
        """Report and look at the disk; every WATCH_S while nothing but the number changes."""
        moment = time.monotonic()
        if not now and moment - self._told < WATCH_S:
            return
        self._told = moment
        reserve = self._means.reserve
        running = state is DownloadState.RUNNING
        left = reserve.watch(self._name) if running else reserve.left()
        self._means.tell(
            Step(
                state,
                self._means.before_bytes + self._done,
                attempt,
                self._means.patience.attempts,
                note or self._note,
                left,
            )
        )
