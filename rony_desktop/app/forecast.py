"""The engine's own count of a launch, asked once for a file, a build and a setting, then kept."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rony_desktop.contract.engine import Buffer, Loaded
from rony_desktop.contract.error import StorageError
from rony_desktop.contract.launch import PlannedLaunch
from rony_desktop.contract.port import RecordStore

if TYPE_CHECKING:
    from rony_desktop.app.device import Devices

KIND = "forecast"
# What of a launch decides how much memory it takes.
DECIDES = (
    *("n_ctx", "n_batch", "n_ubatch", "gpu_layers", "n_cpu_moe", "flash_attn"),
    *("cache_type_k", "cache_type_v", "parallel", "repack", "swa_full"),
    "rpc_workers",
)
_SIZES = ("model_bytes", "context_bytes", "compute_bytes")


class Forecasts:
    """Asks the engine where nothing is kept; what cannot be kept is asked again."""

    def __init__(self, records: RecordStore, devices: Devices) -> None:
        self._records = records
        self._devices = devices

    async def of(self, planned: PlannedLaunch) -> Loaded | None:
        """What the engine counts for a launch; None where this build cannot say.

        Raises:
            EngineError, ModelFileError: the launch would not load at all.
        """
        key = _key(planned)
        kept = await self._records.get(KIND, key)
        if kept is not None and (loaded := _read(kept)):
            return loaded
        loaded = await self._devices.forecast(planned.launch)
        if loaded:
            with contextlib.suppress(StorageError):
                await self._records.put(KIND, key, asdict(loaded))
        return loaded


def _key(planned: PlannedLaunch) -> str:
    from rony_desktop.model.correction import run_key

    setting = " ".join(str(getattr(planned.launch, name)) for name in DECIDES)
    return run_key(planned.machine, planned.model, planned.build, setting)


def _read(record: Mapping[str, Any]) -> Loaded | None:
    """A kept count; None where a hand spoiled it."""
    try:
        buffers = tuple(
            Buffer(str(each["device"]), *(int(each[name]) for name in _SIZES))
            for each in record["buffers"]
        )
    except (KeyError, TypeError, ValueError):
        return None
    n_ctx, layers, every = map(record.get, ("n_ctx", "gpu_layers", "all_layers"))
    return Loaded(n_ctx, layers, every, buffers) if buffers else None
