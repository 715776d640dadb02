"""One engine from its spawn to its end: its address, its key, its files, the cause of its end."""

from __future__ import annotations

import asyncio
import dataclasses
import importlib
import os
import secrets
import socket
import sys
from dataclasses import dataclass
from pathlib import Path

from rony_desktop.contract.engine import Endpoint, Launch, Loaded
from rony_desktop.contract.error import (
    EngineError,
    EngineNotReady,
    FolderUnwritable,
    ModelFileError,
    WorkerUnreachable,
)
from rony_desktop.engine.candidate import Candidate, Wrap
from rony_desktop.engine.command import LOOPBACK, command
from rony_desktop.engine.health import context_size, until_ready
from rony_desktop.engine.log import Output, Subject, classify
from rony_desktop.engine.process import Process, environment, spawn
from rony_desktop.engine.record import write_record

# sockaddr_un, less the closing zero: 108 bytes on Linux, 104 on macOS.
SOCKET_PATH_BYTES = 103 if sys.platform == "darwin" else 107
GRACE_S = 3.0
ASK_S = 1.5


@dataclass(frozen=True, slots=True)
class Place:
    """The files of one engine in a folder that only its user may enter."""

    folder: Path
    stem: str

    def file(self, suffix: str) -> Path:
        """One of its files: .sock, .key or .json."""
        return self.folder / f"{self.stem}{suffix}"

    def address(self, port: int | None = None) -> Path | int:
        """Where to serve: port, else a socket where that can be, else a port that is free now."""
        socket_file = self.file(".sock")
        if port is not None:
            return port
        if sys.platform != "win32" and len(os.fsencode(socket_file)) <= SOCKET_PATH_BYTES:
            return socket_file
        # Another program may take it meanwhile: the engine says so, and the next start draws again.
        with socket.socket() as probe:
            probe.bind((LOOPBACK, 0))
            free: int = probe.getsockname()[1]
            return free

    def prepare(self, key: str) -> None:
        """Make the folder private, remove what an earlier engine left, write the key. Blocking."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.folder.chmod(0o700)
        self.clear()
        private = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with os.fdopen(os.open(self.file(".key"), private, 0o600), "w") as file:
            file.write(key)

    def clear(self) -> None:
        """Remove every file of this engine. Blocking, but short."""
        for suffix in (".sock", ".key", ".json"):
            self.file(suffix).unlink(missing_ok=True)


class Child:
    """A running engine; whoever launched it owns it and awaits end()."""

    def __init__(self, process: Process, output: Output, endpoint: Endpoint, place: Place) -> None:
        self.pid = process.pid
        self.exit = process.exit
        self.endpoint = endpoint
        self.subject = Subject(Path(), "", "")
        self._process = process
        self._output = output
        self._place = place
        self._n_ctx: int | None = None

    async def ready(self, deadline_s: float) -> None:
        """Return when the model is loaded; the key file is gone then.

        Raises:
            EngineError, ModelFileError: It ended instead, deadline_s passed, or it goes on without
                a machine that should hold a part of the model.
        """
        # The first import takes longer than the loop may stand still.
        await asyncio.to_thread(importlib.import_module, "httpx")
        polling = asyncio.create_task(until_ready(self.endpoint))
        alone = asyncio.create_task(self._output.lost.wait())
        try:
            await asyncio.wait(
                {self.exit, polling, alone}, timeout=deadline_s, return_when=asyncio.FIRST_COMPLETED
            )
            if alone.done():
                raise WorkerUnreachable(worker=self._output.worker)
            if self.exit.done():
                raise self.cause()
            if not polling.done():
                raise EngineNotReady(seconds=f"{deadline_s:g}")
            polling.result()
        finally:
            polling.cancel()
            alone.cancel()
        self._output.forget_errors()
        said = self._output.reading.loaded()
        if said is None or said.n_ctx is None:
            # What the log says costs nothing; whoever talks to the model asks the server anyway.
            self._n_ctx = await context_size(self.endpoint, ASK_S)
        await asyncio.to_thread(self._place.file(".key").unlink, missing_ok=True)

    def cause(self) -> EngineError | ModelFileError:
        """Why it ended; only once exit is done."""
        return classify(self._output, self.exit.result(), self.subject)

    def loaded(self) -> Loaded | None:
        """What it said of itself once it was ready; None where it said nothing."""
        read = self._output.reading.loaded()
        if self._n_ctx is None:
            return read
        return dataclasses.replace(read or Loaded(), n_ctx=self._n_ctx)

    async def end(self, grace_s: float = GRACE_S) -> None:
        """End it, by force after grace_s seconds (0: at once), and remove its files."""
        try:
            await self._process.end(grace_s)
        finally:
            self._place.clear()


async def launch_child(
    candidate: Candidate, launch: Launch, folder: Path, role: str, wrap: Wrap | None
) -> Child:
    """Start an engine; it is not ready yet.

    Raises:
        EngineError: The system cannot run it.
        FolderUnwritable: Its files cannot be put into folder.
    """
    place = Place(folder, f"engine-{role}-{os.getpid()}")
    key = secrets.token_urlsafe(32)
    try:
        await asyncio.to_thread(place.prepare, key)
    except OSError as error:
        raise FolderUnwritable(path=folder, detail=error.strerror) from error
    address = place.address(launch.port)
    argv = command(candidate, launch, address, place.file(".key"))
    output = Output()
    try:
        process = await spawn(
            wrap(argv) if wrap else argv, environment(candidate.env), folder, output.add
        )
    except BaseException:
        place.clear()
        raise
    child = Child(process, output, _endpoint(address, key), place)
    said = _said(child.endpoint)
    child.subject = Subject(launch.model, candidate.label, said, launch.rpc_workers)
    try:
        await asyncio.to_thread(write_record, place.file(".json"), process.pid)
    except OSError as error:
        await child.end(grace_s=0)
        raise FolderUnwritable(path=folder, detail=error.strerror) from error
    except BaseException:
        await child.end(grace_s=0)
        raise
    return child


def _endpoint(address: Path | int, key: str) -> Endpoint:
    if isinstance(address, Path):
        return Endpoint("http://engine", socket=address, key=key)
    return Endpoint(f"http://{LOOPBACK}:{address}", key=key)


def _said(endpoint: Endpoint) -> str:
    return str(endpoint.socket or endpoint.base_url.removeprefix("http://"))
