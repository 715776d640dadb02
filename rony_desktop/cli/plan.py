"""`plan`: how a model would be launched here, why, and what it takes."""

from __future__ import annotations

import argparse
import asyncio
import json
import shlex
import sys
from collections.abc import Iterator
from typing import Any

from rony_desktop.app.plan import Planned, plan_file
from rony_desktop.cli.reason import words
from rony_desktop.cli.size import mib
from rony_desktop.contract.model import Estimate
from rony_desktop.contract.plan import PlanResult, Wanted

VALUES = (
    *("n_ctx", "gpu_layers", "n_batch", "n_ubatch", "threads", "threads_batch"),
    *("flash_attn", "cache_type_k", "cache_type_v"),
)
SIZES = (
    *("model_bytes", "repack_bytes", "kv_bytes", "recurrent_bytes", "compute_bytes"),
    *("output_bytes", "total_bytes", "peak_bytes"),
)


async def plan(options: argparse.Namespace) -> int:
    """Print the plan; in text 1 where it does not fit. JSON says so itself, and ends with 0."""
    wanted = Wanted(
        mode=options.mode,
        n_ctx=options.ctx,
        gpu_layers=options.gpu_layers,
        n_ubatch=options.ubatch,
        cache_type_k=options.cache_type_k,
        cache_type_v=options.cache_type_v,
        flash_attn=options.flash_attn,
        parallel=options.parallel,
        repack=not options.no_repack,
    )
    path = options.file.expanduser()
    planned = await asyncio.to_thread(plan_file, path, wanted, options.ram, options.vram)
    for failure in planned.notices:
        print(f"rony-desktop: {failure}", file=sys.stderr)
    if options.json:
        print(json.dumps(as_json(planned), ensure_ascii=False))
        return 0
    print("\n".join(_text(planned)))
    return 0 if planned.plan.fits else 1


def as_json(planned: Planned) -> dict[str, Any]:
    """A plan as it is printed with --json; sizes are bytes."""
    result = planned.plan
    reasons = {
        name: {
            "source": str(reason.source),
            "code": str(reason.why),
            "params": dict(reason.params),
            "text": words(reason),
        }
        for name, reason in result.reasons.items()
    }
    return {
        **{name: getattr(result.launch, name) for name in VALUES},
        "fits": result.fits,
        "reasons": reasons,
        "argv": list(planned.argv),
        "estimate": {name: getattr(result.estimate, name) for name in SIZES},
    }


def _text(planned: Planned) -> Iterator[str]:
    model, result = planned.model, planned.plan
    yield f"{model.name or model.path.name}: {model.architecture}, {mib(model.size_bytes)}"
    yield ""
    for name, reason in result.reasons.items():
        shown = getattr(result.launch, name, "")
        yield f"  {name:<14} {_shown(shown):>7}  {words(reason)}"
    yield ""
    yield from _sum(result)
    yield ""
    yield shlex.join(planned.argv)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return "auto" if value is None else str(value)


def _sum(result: PlanResult) -> Iterator[str]:
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
    yield "It fits." if result.fits else "It does not fit."


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
