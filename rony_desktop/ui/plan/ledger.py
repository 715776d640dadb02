"""The sum behind a fit, line by line: what is needed, what there is, what is left."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rony_desktop.contract.plan import Memory, PlanResult


class Item(StrEnum):
    """What a line of the sum counts."""

    FILE = "file"
    LAYOUT = "layout"
    KV = "kv"
    STATES = "states"
    BATCH = "batch"
    OUTPUT = "output"
    CACHE = "cache"
    TOGETHER = "together"
    ON_GPU = "on_gpu"
    IN_RAM = "in_ram"
    FREE = "free"
    AGAIN = "again"
    SYSTEM = "system"
    MARGIN = "margin"
    ROOM = "room"
    NEEDED = "needed"
    LEFT = "left"
    OVER = "over"


RESULTS = frozenset({Item.TOGETHER, Item.ROOM, Item.LEFT, Item.OVER})


@dataclass(frozen=True, slots=True)
class Line:
    """One line; what is taken away is below 0."""

    item: Item
    size_bytes: int


def needed(plan: PlanResult) -> tuple[Line, ...]:
    """What the launch takes of all memories together, and how much of it where."""
    need = plan.estimate
    lines = (
        Line(Item.FILE, need.model_bytes),
        Line(Item.LAYOUT, need.repack_bytes + need.layout_bytes),
        Line(Item.KV, need.kv_bytes),
        Line(Item.STATES, need.recurrent_bytes),
        Line(Item.BATCH, need.compute_bytes),
        Line(Item.OUTPUT, need.output_bytes),
        Line(Item.CACHE, plan.cache_ram_bytes),
    )
    found = [line for line in lines if line.size_bytes]
    found.append(Line(Item.TOGETHER, need.held_bytes + plan.cache_ram_bytes))
    if need.device.total_bytes and not plan.shared:
        found.append(Line(Item.ON_GPU, need.device.total_bytes))
        found.append(Line(Item.IN_RAM, plan.ram_needed_bytes))
    return tuple(found)


def computer(plan: PlanResult) -> tuple[Line, ...]:
    """What the computer's memory has for it."""
    return _available(plan.ram, plan.ram_needed_bytes)


def device(plan: PlanResult) -> tuple[Line, ...]:
    """What the GPU has for its part; nothing where none is used and none is asked for."""
    on_gpu = plan.estimate.device.total_bytes
    if plan.vram is None and not on_gpu:
        return ()
    return _available(plan.vram or Memory(0), on_gpu)


def _available(memory: Memory, need: int) -> tuple[Line, ...]:
    left = memory.room_bytes - need
    lines = (
        Line(Item.AGAIN, memory.again_bytes),
        Line(Item.SYSTEM, -memory.reserve_bytes),
        Line(Item.MARGIN, -memory.margin_bytes),
    )
    return (
        Line(Item.FREE, memory.free_bytes),
        *(line for line in lines if line.size_bytes),
        Line(Item.ROOM, memory.room_bytes),
        Line(Item.NEEDED, -need),
        Line(Item.LEFT, left) if left >= 0 else Line(Item.OVER, -left),
    )
