"""The trial of an engine: a tiny model is loaded and one token computed, so that kernels run."""

from __future__ import annotations

import asyncio
import dataclasses
import itertools
from pathlib import Path

from rony_desktop.contract.engine import Launch
from rony_desktop.contract.error import EngineDied, FolderUnwritable
from rony_desktop.engine.candidate import Candidate, Wrap
from rony_desktop.engine.child import launch_child
from rony_desktop.engine.command import features
from rony_desktop.engine.health import completes
from rony_desktop.engine.trial import trial_model

TRIAL_S = 20.0
# Trials of one program may run side by side: each has a socket and a half-written file of its own.
_NUMBERS = itertools.count(1)


async def probe(candidate: Candidate, folder: Path, wrap: Wrap | None = None) -> Candidate:
    """Return the candidate with its flags, after it has computed a token of a model in folder.

    Raises:
        EngineError, ModelFileError: Why it cannot serve here.
        FolderUnwritable: The model cannot be put into folder.
    """
    model, number = folder / "trial.gguf", next(_NUMBERS)
    try:
        await asyncio.to_thread(_write, model, number)
    except OSError as error:
        raise FolderUnwritable(path=folder, detail=error.strerror) from error
    known = dataclasses.replace(candidate, flags=await features(candidate, folder, wrap))
    launch = Launch(
        model=model,
        alias="trial",
        n_ctx=256,
        n_batch=32,
        n_ubatch=32,
        threads=1,
        threads_batch=1,
        cache_ram_mb=0,
        gpu_layers=0,
    )
    child = await launch_child(known, launch, folder, f"t{number}", wrap)
    try:
        await child.ready(TRIAL_S)
        if not await completes(child.endpoint, TRIAL_S):
            # A kernel that fails ends the process a moment after the connection.
            await asyncio.wait({child.exit}, timeout=1.0)
            silent = EngineDied(detail="no answer to the trial prompt")
            raise child.cause() if child.exit.done() else silent
    finally:
        await child.end()
    return known


def _write(model: Path, number: int) -> None:
    data = trial_model()
    if model.is_file() and model.read_bytes() == data:
        return
    model.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = model.with_suffix(f".{number}.part")
    part.write_bytes(data)
    part.replace(model)
