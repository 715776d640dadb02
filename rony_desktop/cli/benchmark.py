"""`benchmark`: how fast a model reads and writes on this computer."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from typing import Any

from rony_desktop.app.bench import LENGTHS, REPEATS, WRITTEN
from rony_desktop.app.tune import workshop
from rony_desktop.app.workshop import Workshop


async def benchmark(options: argparse.Namespace) -> int:
    """Measure through the server; progress goes to standard error."""
    lengths = tuple(options.prompt or LENGTHS)
    async with workshop(options.model or "", trust=options.trust) as shop:
        for failure in shop.notices:
            print(f"rony-desktop: {failure}", file=sys.stderr)
        found = await _measured(shop, lengths, options)
    if options.json:
        print(json.dumps(found, ensure_ascii=False))
    else:
        print(_text(found))
    return 0


async def _measured(
    shop: Workshop, lengths: tuple[int, ...], options: argparse.Namespace
) -> dict[str, Any]:
    predicted = await shop.predicted(max(lengths))
    written, repeats = options.tokens or WRITTEN, options.repeats or REPEATS
    runs = await shop.benchmark(lengths, written, repeats, _tell)
    launch = {name: value for name, value in asdict(await shop.launch()).items() if name != "model"}
    return {
        "model": shop.planned.alias,
        "engine": shop.build,
        "launch": launch,
        "predicted": {"prompt_tokens": max(lengths), **asdict(predicted)},
        "runs": [
            {name: value for name, value in asdict(run).items() if name != "samples"}
            for run in runs
        ],
    }


def _text(found: dict[str, Any]) -> str:
    lines = [f"{found['model']} on {found['engine']}"]
    for run in found["runs"]:
        prefill, decode = run["prefill"], run["decode"]
        lines.append(
            f"  {run['prompt_tokens']:>5} tokens read at {_rate(prefill)}, "
            f"{run['written_tokens']} written at {_rate(decode)}, "
            f"first word after {run['first_token_s']:.2f} s"
        )
    expected = found["predicted"]
    lines.append(
        f"  predicted for {expected['prompt_tokens']}: read at {_span(expected['prefill'])}, "
        f"write at {_span(expected['decode'])} tok/s (by {expected['basis']})"
    )
    return "\n".join(lines)


def _rate(rate: dict[str, float]) -> str:
    return f"{rate['best']:.1f} tok/s (differs {rate['spread']:.0%})"


def _span(span: dict[str, float]) -> str:
    return f"{span['value']:.1f} ({span['low']:.1f} to {span['high']:.1f})"


def _tell(done: int, every: int) -> None:
    print(f"measured {done} of {every}", file=sys.stderr)
