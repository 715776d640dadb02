"""The memory of a launch line by line: what it needs, and what there is."""

from __future__ import annotations

from collections.abc import Iterator

from rony_desktop.cli.size import mib
from rony_desktop.contract.model import Estimate
from rony_desktop.contract.plan import PlanResult


def memory(result: PlanResult) -> Iterator[str]:
    """What is needed and what there is, line by line."""
    need = result.estimate
    yield from _need(need)
    if result.vram:
        where = "of the memory below" if result.shared else "on the GPU"
        yield _line(f"needed {where}", need.device.total_bytes)
        yield _line("  free on the GPU now", result.vram.free_bytes)
        yield _line("  kept as a margin", -result.vram.margin_bytes)
        yield _line("  may be used on the GPU", result.vram.room_bytes)
    elif need.device.total_bytes:
        yield _line("needed on a GPU, which is not there", need.device.total_bytes)
    yield _line("prompt cache, at most", result.cache_ram_bytes)
    yield _line("needed of the computer's memory", result.ram_needed_bytes)
    yield _line("  free now", result.ram.free_bytes)
    yield _line("  left to the system", -result.ram.reserve_bytes)
    yield _line("  kept as a margin", -result.ram.margin_bytes)
    yield _line("  may be used", result.ram.room_bytes)


def _need(need: Estimate) -> Iterator[str]:
    yield _line("weights as in the file", need.model_bytes)
    yield _line("weights in the engine's layout", need.repack_bytes)
    yield _line("keys and values of the context", need.kv_bytes)
    yield _line("states of recurrent layers", need.recurrent_bytes)
    yield _line("one batch", need.compute_bytes)
    yield _line("output", need.output_bytes)
    if need.layout_bytes:
        yield _line("what that layout adds", need.layout_bytes)
    yield _line("together", need.held_bytes)
    yield _line("  at most, while it loads", need.peak_bytes)


def _line(name: str, count: int) -> str:
    return f"  {name:<36} {mib(count):>14}"
