"""Measures and tunes a model on an engine of its own, beside whatever else runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from rony_desktop.app.lifecycle import opened
from rony_desktop.app.workshop import EngineBench, Workshop, workshop_of
from rony_desktop.contract.error import BenchmarkError
from rony_desktop.engine.fleet import TUNE
from rony_desktop.engine.record import reap
from rony_desktop.provider.llamacpp import LlamaCppClient


@asynccontextmanager
async def workshop(name: str = "", *, trust: bool = False) -> AsyncIterator[Workshop]:
    """Set up a model by name, else the chosen one; no engine is left when the context is.

    Raises:
        ModelFileError: there is no such model, or its file cannot be used.
        EngineError: no engine works here.
        BenchmarkError: the model is not in a file.
        StorageError: the program's folders cannot be made.
    """
    async with opened(trust=trust) as app:
        await asyncio.to_thread(reap, app.place.run_dir)
        ref = await asyncio.to_thread(app.models.chosen, name)
        if ref.path is None:
            raise BenchmarkError(detail="the model is not in a file of this computer")
        planned = await app.launches.prepared(ref.path)
        bench = EngineBench(app.fleet.engine(TUNE), LlamaCppClient)
        yield workshop_of(planned, bench, app.records, app.benches.experience.speeds(), app.notices)
