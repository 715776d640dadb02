"""What is said where a launch does not fit, or ran with less than was planned."""

from __future__ import annotations

from pathlib import Path

from rony_desktop.contract.error import Failure, LaunchLowered, PlanTooLarge
from rony_desktop.contract.launch import PlannedLaunch, Rung
from rony_desktop.contract.size import gb


def too_large(planned: PlannedLaunch) -> PlanTooLarge:
    """The refusal of a launch: what it needs and what there is, of the memory that is short."""
    plan = planned.plan
    need, room = plan.ram_needed_bytes, plan.ram.room_bytes
    device = plan.estimate.device.total_bytes
    if plan.vram and not plan.shared and device > plan.vram.room_bytes:
        need, room = device, plan.vram.room_bytes
    return PlanTooLarge(model=planned.model.path.name, need=gb(need), room=gb(room))


def lowered(asked: Path, planned: PlannedLaunch) -> Failure:
    """The notice of a launch that took steps down; asked is the file the user chose."""
    launch = planned.launch
    parts = []
    if Rung.SMALLER_FILE in planned.rungs:
        parts.append(launch.model.name)
    if {Rung.SMALLER_CACHE, Rung.HALF_CONTEXT} & set(planned.rungs):
        parts.append(f"{launch.n_ctx} tokens, KV {launch.cache_type_k}")
    if Rung.FEWER_LAYERS in planned.rungs:
        parts.append(f"GPU {launch.gpu_layers}")
    return LaunchLowered(model=asked.name, changes=", ".join(parts)).failure()
