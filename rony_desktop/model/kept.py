"""What the user fixed of a model's launch, kept for the model and put into every later plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from rony_desktop.contract.config import OptimizationMode
from rony_desktop.contract.model import ModelMetadata
from rony_desktop.contract.plan import CACHE_TYPES, Wanted
from rony_desktop.contract.port import RecordStore
from rony_desktop.model.correction import model_key

KIND = "launch"

# A record is a file that a hand may have spoiled: what is none of these is left to the plan.
_VALID: Mapping[str, Callable[[Any], bool]] = {
    "mode": lambda value: value in list(OptimizationMode),
    "n_ctx": lambda value: _whole(value, 1),
    "gpu_layers": lambda value: _whole(value, 0),
    "n_ubatch": lambda value: _whole(value, 1),
    "cache_type_k": lambda value: value in CACHE_TYPES,
    "cache_type_v": lambda value: value in CACHE_TYPES,
    "flash_attn": lambda value: value in ("on", "off", "auto"),
    "repack": lambda value: value is False,
    "swa_full": lambda value: value is True,
    "n_cpu_moe": lambda value: _whole(value, 1),
}


async def keep(records: RecordStore, model: ModelMetadata, wanted: Wanted) -> None:
    """Keep what is wanted of every launch of a model; nothing wanted is forgotten.

    Raises:
        StorageError: it cannot be kept.
    """
    record = as_record(wanted)
    if record:
        await records.put(KIND, model_key(model), record)
    else:
        await records.delete(KIND, model_key(model))


async def kept(records: RecordStore, model: ModelMetadata) -> Wanted:
    """What the user keeps for a model; everything is left to the plan where he keeps nothing."""
    return from_record(await records.get(KIND, model_key(model)) or {})


def as_record(wanted: Wanted) -> dict[str, Any]:
    """What is wanted otherwise than by default, as JSON values."""
    return {
        name: str(value) if name == "mode" else value
        for name, value in asdict(wanted).items()
        if name in _VALID and value is not None and _VALID[name](value)
    }


def from_record(record: Mapping[str, Any]) -> Wanted:
    """What a record wants; a value that cannot be meant is left out."""
    values = {
        name: record[name]
        for name, valid in _VALID.items()
        if name in record
        if valid(record[name])
    }
    if "mode" in values:
        values["mode"] = OptimizationMode(values["mode"])
    return Wanted(**values)


def _whole(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least
