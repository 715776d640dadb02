"""`make bench`: every figure of one run against one engine, each beside its bound."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from rony_desktop.app.context import AppContext
from rony_desktop.app.lifecycle import running
from scripts.bench import download, reread, sandbox, speed, window
from scripts.bench.figure import Figure

Measure = Callable[[AppContext], Awaitable[list[Figure]]]

# A quarter of it bounds an answer: a small model that does not stop must not take minutes.
SPEED_CONTEXT = 1024
CONTEXT_KEY = "RONY_LLAMA__MODELS__MAIN__CTX_SIZE"
ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Measure, print a table, write build/bench.json; 1 where a bound is missed."""
    from rony_desktop.store.place import Place

    starter = Place.of().starter_dir
    with tempfile.TemporaryDirectory(prefix="rony-bench-") as folder:
        home = Path(folder)
        for name in ("CONFIG", "DATA", "STATE", "CACHE"):
            os.environ[f"XDG_{name}_HOME"] = str(home / name.lower())
        os.environ["XDG_RUNTIME_DIR"] = str(home)
        cache = Place.of().starter_dir
        cache.parent.mkdir(parents=True)
        shutil.copytree(starter, cache, copy_function=os.link)
        figures = [*sandbox.measure(), *download.measure()]
        figures += [*asyncio.run(engine_figures()), *window.measure()]
    for figure in figures:
        print(figure.line())
    out = ROOT / "build" / "bench.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps([figure.as_json() for figure in figures], indent=2))
    return 0 if all(figure.held for figure in figures) else 1


async def engine_figures() -> list[Figure]:
    """What is measured through the engine: speed with short answers, then a chat of ten turns."""
    os.environ[CONTEXT_KEY] = str(SPEED_CONTEXT)
    figures = await through_engine(speed.measure)
    del os.environ[CONTEXT_KEY]
    return [*figures, *await through_engine(reread.measure)]


async def through_engine(measure: Measure) -> list[Figure]:
    """Measure with the program running and its model loaded."""
    async with running(None) as app:
        await app.runtime.ready()
        return await measure(app)


if __name__ == "__main__":
    sys.exit(main())
