"""Asks a running window for its engine, so that one model is not loaded twice."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

from rony_desktop.contract.engine import Endpoint, EngineState, EngineStatus
from rony_desktop.store.place import Place, make_private

LIMIT_S = 2.0
ADDRESS = "window.sock"
REQUEST = {"want": "engine"}


def meeting_place() -> Path:
    """The user's private folder where starts of the program find each other; it is made.

    Raises:
        StorageError: it cannot be made, or belongs to someone else.
    """
    folder = Place.of().run_dir
    make_private(folder)
    return folder


def window_memory() -> Path:
    """Where the window keeps its size, place and theme; it may not be there yet."""
    return Place.of().data_dir / "window.ini"


async def shared_engine(folder: Path) -> tuple[str, Endpoint] | None:
    """Model id and endpoint of the window's running engine, None where there is none.

    The socket lies in the user's private run folder: whoever can ask may use the engine.
    """
    return read_answer(await _asked(folder))


async def model_in_use(folder: Path) -> str:
    """The id of the model a running window uses, also while it loads or sleeps; "" for none."""
    found = await _asked(folder)
    return str(found.get("model", "")) if isinstance(found, dict) else ""


async def _asked(folder: Path) -> Any:
    """What the window answers, None where there is none."""
    if os.name != "posix" or not (folder / ADDRESS).exists():
        return None
    try:
        async with asyncio.timeout(LIMIT_S):
            reader, writer = await asyncio.open_unix_connection(folder / ADDRESS)
            try:
                writer.write(json.dumps(REQUEST).encode() + b"\n")
                await writer.drain()
                return json.loads(await reader.readline())
            finally:
                writer.close()
    except (OSError, ValueError, TimeoutError):
        return None


def answer(model: str, endpoint: Endpoint) -> dict[str, Any]:
    """What a window says of its engine."""
    return {
        "model": model,
        "base_url": endpoint.base_url,
        "socket": str(endpoint.socket) if endpoint.socket else "",
        "key": endpoint.key,
    }


def no_answer(status: EngineStatus) -> dict[str, Any]:
    """What a window says that has no engine to lend: which model it uses all the same."""
    used = status.asleep or status.state not in (EngineState.STOPPED, EngineState.FAILED)
    return {"model": status.model} if used else {}


def read_answer(found: Any) -> tuple[str, Endpoint] | None:
    """The other side of answer(); None for whatever is not one."""
    if not isinstance(found, dict) or not found.get("base_url"):
        return None
    socket = Path(found["socket"]) if found.get("socket") else None
    endpoint = Endpoint(str(found["base_url"]), socket, str(found.get("key", "")))
    return str(found.get("model", "")), endpoint
