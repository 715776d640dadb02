"""How a launch divides a memory: what others hold, what it takes, what stays free."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rony_desktop.contract.launch import PlannedLaunch
from rony_desktop.contract.model import Gpu, Machine, Share
from rony_desktop.contract.plan import Memory, PlanResult


class Part(StrEnum):
    """What holds a part of a memory, in the order of the bar."""

    OTHERS = "others"
    KEPT = "kept"
    WEIGHTS = "weights"
    CONTEXT = "context"
    COMPUTE = "compute"
    CACHE = "cache"
    FREE = "free"


@dataclass(frozen=True, slots=True)
class Segment:
    """One part of a memory; size in bytes."""

    part: Part
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Stack:
    """A whole memory in segments; over_bytes of what the launch takes are more than there is.

    Where something is over, the segments together are larger than the memory.
    """

    total_bytes: int
    segments: tuple[Segment, ...]
    over_bytes: int = 0
    name: str = ""


def computer(planned: PlannedLaunch) -> Stack:
    """The computer's memory, with the part of the GPU where that is in it."""
    plan = planned.plan
    share = plan.estimate.host
    if plan.shared:
        share = _both(share, plan.estimate.device)
    return _stack(planned.machine.ram_bytes, plan.ram, share, plan.cache_ram_bytes)


def device(planned: PlannedLaunch) -> Stack | None:
    """The memory of the devices an engine uses; None where there are none."""
    vram = planned.plan.vram
    if vram is None:
        return None
    cards = _cards(planned.machine, vram)
    total = sum(gpu.total_bytes or 0 for gpu in cards) or vram.free_bytes + vram.again_bytes
    name = ", ".join(gpu.name for gpu in cards)
    return _stack(total, vram, planned.plan.estimate.device, 0, name)


def excess(plan: PlanResult) -> int:
    """Bytes that are too many, in the memory that lacks the most; 0 where all fits."""
    room = plan.vram.room_bytes if plan.vram else 0
    over_device = plan.estimate.device.total_bytes - room
    return max(0, over_device, plan.ram_needed_bytes - plan.ram.room_bytes)


def _stack(total: int, memory: Memory, share: Share, cache: int, name: str = "") -> Stack:
    others = max(0, total - memory.free_bytes - memory.again_bytes)
    kept = max(0, min(memory.reserve_bytes + memory.margin_bytes, total - others))
    needed = share.total_bytes + cache
    sizes = {
        Part.OTHERS: others,
        Part.KEPT: kept,
        Part.WEIGHTS: share.weights_bytes,
        Part.CONTEXT: share.kv_bytes + share.recurrent_bytes,
        Part.COMPUTE: share.compute_bytes + share.output_bytes,
        Part.CACHE: cache,
        Part.FREE: max(0, total - others - kept - needed),
    }
    segments = tuple(Segment(part, size) for part, size in sizes.items() if size)
    return Stack(total, segments, max(0, needed - memory.room_bytes), name)


def _both(host: Share, dev: Share) -> Share:
    return Share(
        weights_bytes=host.weights_bytes + dev.weights_bytes,
        kv_bytes=host.kv_bytes + dev.kv_bytes,
        recurrent_bytes=host.recurrent_bytes + dev.recurrent_bytes,
        compute_bytes=host.compute_bytes + dev.compute_bytes,
        output_bytes=host.output_bytes + dev.output_bytes,
    )


def _cards(machine: Machine, vram: Memory) -> tuple[Gpu, ...]:
    """The devices the plan counted; a card may be listed by several backends of an engine."""
    listed = [gpu for gpu in machine.gpus if gpu.device and gpu.total_bytes]
    for backend in dict.fromkeys((gpu.backend, gpu.integrated) for gpu in listed):
        cards = tuple(gpu for gpu in listed if (gpu.backend, gpu.integrated) == backend)
        if sum(gpu.free_bytes or 0 for gpu in cards) == vram.free_bytes:
            return cards
    return ()
