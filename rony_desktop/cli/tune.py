"""`tune`: whether another setting is faster than the planned one on this computer."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from rony_desktop.app.tune import workshop
from rony_desktop.contract.speed import Trial, Tuning, Verdict

WORDS = {
    Verdict.FASTER: "faster by {gain:.0%}: {changes}; it is used from now on",
    Verdict.KEPT: "nothing is surely faster; the planned setting stays",
    Verdict.NOISY: "no conclusion: repeats of the planned setting differ by {noise:.0%}; "
    "close other programs and try again",
    Verdict.UNFINISHED: "no conclusion: there was too little time for this model",
}


async def tune(options: argparse.Namespace) -> int:
    """Try settings in turn; 1 where nothing could be concluded."""
    async with workshop(options.model or "", trust=options.trust) as shop:
        for failure in shop.notices:
            print(f"rony-desktop: {failure}", file=sys.stderr)
        found = await shop.tune(_tell)
    if options.json:
        print(json.dumps(as_json(found, shop.planned.alias, shop.build), ensure_ascii=False))
    else:
        print("\n".join(_text(found)))
    return 0 if found.verdict in (Verdict.FASTER, Verdict.KEPT) else 1


def as_json(found: Tuning, model: str, engine: str) -> dict[str, Any]:
    """What `tune --json` prints; rates are tokens a second, gain and noise parts of one."""
    return {
        "model": model,
        "engine": engine,
        "verdict": str(found.verdict),
        "gain": found.gain,
        "noise": found.noise,
        "changes": _kept(found),
        "trials": [asdict(trial) for trial in found.trials],
    }


def _text(found: Tuning) -> Iterator[str]:
    for trial in found.trials:
        yield (
            f"  {_words(trial.changes):<22} read {trial.prefill:8.1f} tok/s   "
            f"write {trial.decode:7.1f} tok/s   {_rounds(trial)}"
        )
    text = WORDS[found.verdict]
    yield text.format(gain=found.gain, noise=found.noise, changes=_words(_kept(found)))


def _kept(found: Tuning) -> Mapping[str, object]:
    """What the launch to use has otherwise than the planned one."""
    fits = (t for t in found.trials if all(_has(found, *each) for each in t.changes.items()))
    return max((trial.changes for trial in fits), key=len, default={})


def _has(found: Tuning, name: str, value: object) -> bool:
    return bool(getattr(found.launch, name) == value)


def _rounds(trial: Trial) -> str:
    return "one round" if trial.noise >= 1 else f"rounds differ {trial.noise:.0%}"


def _words(changes: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in changes.items()) or "planned"


def _tell(done: int, every: int, changes: Mapping[str, object]) -> None:
    print(f"run {done + 1} of {every}: {_words(changes)}", file=sys.stderr)
