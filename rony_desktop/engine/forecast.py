"""The engine's own count of a launch: its pass without allocation, ended before it loads."""

from __future__ import annotations

import asyncio
import dataclasses
import secrets
from pathlib import Path

from rony_desktop.contract.engine import Launch, Loaded
from rony_desktop.contract.error import FolderUnwritable, ModelFileError
from rony_desktop.engine.candidate import Candidate, Wrap
from rony_desktop.engine.child import Place
from rony_desktop.engine.command import command
from rony_desktop.engine.log import ERROR, Output, Subject, classify
from rony_desktop.engine.process import Process, environment, spawn
from rony_desktop.engine.reading import Reading

LIMIT_S = 30.0
# The table is printed at this verbosity; the pass is left out where fitting is off.
VERBOSITY = ("-lv", "5")
LEFT_OUT = frozenset({"-lv", "-fit"})


async def forecast(
    candidate: Candidate, launch: Launch, folder: Path, wrap: Wrap | None = None
) -> Loaded | None:
    """Have the engine count what a launch takes; None where this build cannot say.

    It takes 0.1 to 3 s and at most 300 MiB, whatever the model (facts measured on b10434).

    Raises:
        ModelFileError: the file cannot be loaded at all.
        FolderUnwritable: the key cannot be put into folder.
        EngineError: the engine cannot be run.
    """
    if not {*LEFT_OUT, "--api-key-file"} <= candidate.flags:
        return None
    place = Place(folder, f"forecast-{secrets.token_hex(4)}")
    try:
        # In a thread it would go on after a cancellation, and the key would stay.
        place.prepare(secrets.token_urlsafe(32))
    except OSError as error:
        raise FolderUnwritable(path=folder, detail=error.strerror) from error
    plain = dataclasses.replace(candidate, flags=candidate.flags - LEFT_OUT)
    argv = [*command(plain, launch, place.address(), place.file(".key")), *VERBOSITY]
    watch = _Watch()
    try:
        process = await spawn(
            wrap(argv) if wrap else argv, environment(candidate.env), folder, watch.add
        )
        return await _told(process, watch, Subject(launch.model, candidate.label, ""))
    finally:
        place.clear()


async def _told(process: Process, watch: _Watch, subject: Subject) -> Loaded | None:
    done = asyncio.create_task(watch.done.wait())
    try:
        await asyncio.wait(
            {process.exit, done}, timeout=LIMIT_S, return_when=asyncio.FIRST_COMPLETED
        )
        told = watch.reading.forecast()
        if told is None and watch.output.first_error:
            # It goes on after a count that failed, and ends with the same cause.
            cause = classify(watch.output, 1, subject)
            # An end without a word of the file tells nothing of a real launch.
            if isinstance(cause, ModelFileError):
                raise cause
        return told
    finally:
        done.cancel()
        await process.end(grace_s=0)


class _Watch:
    """Reads the output until the count is over; only errors go to the log."""

    def __init__(self) -> None:
        self.done = asyncio.Event()
        self.reading = Reading()
        self.output = Output()

    def add(self, line: str) -> None:
        if self.done.is_set():
            return
        self.reading.add(line)
        if ERROR.search(line):
            self.output.add(line)
        if self.reading.counted:
            self.done.set()
