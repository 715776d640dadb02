"""A launch made for one file: planned, explained, and offered to the user with how well it fits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from rony_desktop.contract.engine import Launch
from rony_desktop.contract.error import Failure
from rony_desktop.contract.model import Machine, ModelMetadata, ModelRef
from rony_desktop.contract.plan import PlanResult, Reason, Wanted
from rony_desktop.contract.speed import Span, Speed


class Fit(StrEnum):
    """How well a model fits this computer now.

    SHORT fits only with less context than its mode asks for; UNUSABLE is no model to chat with.
    """

    GPU = "gpu"
    PARTLY = "partly"
    FITS = "fits"
    SHORT = "short"
    TOO_LARGE = "too_large"
    UNUSABLE = "unusable"


class Rung(StrEnum):
    """A step down, taken where a launch ran out of memory, in this order."""

    SMALLER_CACHE = "smaller_cache"
    HALF_CONTEXT = "half_context"
    FEWER_LAYERS = "fewer_layers"
    SMALLER_FILE = "smaller_file"


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag of a launch's command, and its reason; value is empty where the flag takes none."""

    option: str
    value: str
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedLaunch:
    """How a file is launched on this machine, with everything that explains it.

    wanted is what the user keeps for the model, launch the plan's as tuning and rungs left it.
    flags are all of the command but address and key, which every start makes anew; build is the
    engine's label, speed None where it was not asked for.
    """

    model: ModelMetadata
    machine: Machine
    build: str
    wanted: Wanted
    plan: PlanResult
    launch: Launch
    flags: tuple[Flag, ...]
    reasons: Mapping[str, Reason]
    rungs: tuple[Rung, ...] = ()
    speed: Speed | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """A model the user can choose: its quantization, how it fits, and how fast it should write.

    failure says why a file is unusable; n_ctx is in tokens, decode in tokens a second.
    """

    model: ModelRef
    fit: Fit
    quant: str = ""
    n_ctx: int = 0
    decode: Span | None = None
    failure: Failure | None = None
