"""`plan`: how a model would be launched here, why, and what it takes."""

from __future__ import annotations

import argparse
import asyncio
import json
import shlex
import sys
from collections.abc import Iterator
from typing import Any

from rony_desktop.app.plan import Planned, counted, plan_file
from rony_desktop.cli.reason import words
from rony_desktop.cli.size import mib
from rony_desktop.cli.sum import memory
from rony_desktop.contract.plan import Wanted

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
        swa_full=options.swa_full,
    )
    path = options.file.expanduser()
    planned = await asyncio.to_thread(plan_file, path, wanted, options.ram, options.vram)
    if not planned.plan.estimate.known:
        planned = await counted(planned)
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
    yield from memory(result)
    yield "It fits." if result.fits else "It does not fit."
    yield ""
    yield shlex.join(planned.argv)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return "auto" if value is None else str(value)
