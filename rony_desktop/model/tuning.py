"""What autotuning found, kept per model, machine and engine, and taken up by later plans."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rony_desktop.contract.engine import Launch
from rony_desktop.contract.model import Machine, ModelMetadata
from rony_desktop.contract.port import RecordStore
from rony_desktop.contract.speed import Tuning, Verdict
from rony_desktop.model.correction import run_key
from rony_desktop.model.variant import changes, settings

KIND = "tuning"

Run = tuple[ModelMetadata, Machine, str]
"""A model, a machine, and the build of an engine."""


async def remember(records: RecordStore, run: Run, planned: Launch, tuning: Tuning) -> None:
    """Keep what was found; what could not be concluded changes nothing.

    Raises:
        StorageError: it cannot be kept.
    """
    if tuning.verdict not in (Verdict.FASTER, Verdict.KEPT):
        return
    record = {
        "planned": settings(planned),
        "changes": changes(tuning.launch, planned),
        "gain": round(tuning.gain, 4),
        "noise": round(tuning.noise, 4),
    }
    await records.put(KIND, _key(run), record)


async def tuned(records: RecordStore, run: Run, planned: Launch) -> Launch:
    """The planned launch with what was found to be faster.

    A plan that differs from the one that was tuned is left as it is: the finding is of another.
    """
    record = await records.get(KIND, _key(run))
    if record is None or record.get("planned") != settings(planned):
        return planned
    return _changed(planned, record.get("changes"))


def _changed(planned: Launch, found: object) -> Launch:
    """A launch with the changes of a record; one that a hand spoiled changes nothing."""
    known = settings(planned)
    if not isinstance(found, Mapping):
        return planned
    if any(type(value) is not type(known.get(name)) for name, value in found.items()):
        return planned
    wanted: dict[str, Any] = dict(found)
    return replace(planned, **wanted)


def _key(run: Run) -> str:
    model, machine, build = run
    return run_key(machine, model, build)
