"""The steps down from a launch that ran out of memory, and how far down one had to go.

Whoever asks starts what lower() gives, and asks again where that runs out as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rony_desktop.contract.launch import Rung
from rony_desktop.contract.model import Machine, ModelMetadata
from rony_desktop.contract.plan import PlanResult, Wanted
from rony_desktop.contract.port import RecordStore
from rony_desktop.model.correction import run_key
from rony_desktop.model.kept import as_record, from_record
from rony_desktop.model.planner import CONTEXT_STEP, SMALLER, SMALLEST_CONTEXT, quantises
from rony_desktop.model.tensor import size_of_row

KIND = "ladder"
# With so much more room than then, the whole launch is tried again.
MORE_ROOM = 1.25

Found = tuple[tuple[Rung, ...], Wanted]


def lower(plan: PlanResult, model: ModelMetadata, wanted: Wanted) -> tuple[Rung, Wanted] | None:
    """The next step down from a plan, everything else of it fixed; None where there is none.

    What the user fixed is lowered too: an answer with less is better than none, and he is told.
    The batch is planned anew: one that a GPU reads at once would hold up Stop on a processor.
    """
    launch = plan.launch
    fixed = replace(
        wanted,
        n_ctx=launch.n_ctx,
        cache_type_k=launch.cache_type_k,
        cache_type_v=launch.cache_type_v,
        gpu_layers=launch.gpu_layers,
        # Else experts would move into the memory that a step frees on the device.
        n_cpu_moe=launch.n_cpu_moe,
    )
    if _larger(launch.cache_type_k, launch.cache_type_v) and quantises(model, launch.flash_attn):
        flash = None if launch.flash_attn == "auto" else wanted.flash_attn
        return Rung.SMALLER_CACHE, replace(
            fixed, cache_type_k=SMALLER, cache_type_v=SMALLER, flash_attn=flash
        )
    if launch.n_ctx > SMALLEST_CONTEXT:
        half = max(SMALLEST_CONTEXT, launch.n_ctx // 2 // CONTEXT_STEP * CONTEXT_STEP)
        return Rung.HALF_CONTEXT, replace(fixed, n_ctx=half)
    if launch.gpu_layers:
        return Rung.FEWER_LAYERS, replace(fixed, gpu_layers=launch.gpu_layers // 2)
    return None


async def remember(
    records: RecordStore,
    run: tuple[Machine, ModelMetadata],
    rungs: Sequence[Rung],
    wanted: Wanted,
    room_bytes: int,
) -> None:
    """Keep how far down a model had to go while so much memory could be used.

    Raises:
        StorageError: it cannot be kept.
    """
    record = {"rungs": list(rungs), "wanted": as_record(wanted), "room_bytes": room_bytes}
    await records.put(KIND, run_key(*run), record)


async def recalled(
    records: RecordStore, run: tuple[Machine, ModelMetadata], room_bytes: int
) -> Found | None:
    """How far down a model had to go; None where it did not, or where there is more room now."""
    record = await records.get(KIND, run_key(*run))
    return _read(record, room_bytes) if record else None


def _read(record: Mapping[str, Any], room_bytes: int) -> Found | None:
    """What a record says; one that a hand spoiled says nothing."""
    then, rungs, wanted = map(record.get, ("room_bytes", "rungs", "wanted"))
    if not isinstance(then, int) or room_bytes > MORE_ROOM * then:
        return None
    if not isinstance(rungs, list) or not isinstance(wanted, Mapping):
        return None
    if not rungs or any(rung not in list(Rung) for rung in rungs):
        return None
    return tuple(map(Rung, rungs)), from_record(wanted)


def _larger(*types: str) -> bool:
    """Whether one of the types takes more than the smaller one."""
    width = 256
    return any(size_of_row(kind, width) > size_of_row(SMALLER, width) for kind in types)
