"""How fast a model is: predicted, measured, and with another setting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from rony_desktop.contract.engine import Launch
from rony_desktop.contract.llm import Timings


@dataclass(frozen=True, slots=True)
class Span:
    """A number and the range it is expected in."""

    value: float
    low: float
    high: float


class Basis(StrEnum):
    """What a prediction rests on: runs of this file, runs of others here, or a short probe."""

    RUN = "run"
    MACHINE = "machine"
    PROBE = "probe"


@dataclass(frozen=True, slots=True)
class Speed:
    """Predicted tokens a second in prefill and decode, and seconds to the first token."""

    prefill: Span
    decode: Span
    first_token_s: Span
    basis: Basis


@dataclass(frozen=True, slots=True)
class Sample:
    """One request: what the engine measured, and seconds until its first word was here."""

    timings: Timings
    first_token_s: float


@dataclass(frozen=True, slots=True)
class Rate:
    """Tokens a second over repeats: the best, the median, and (best - worst) / best."""

    best: float
    median: float
    spread: float


@dataclass(frozen=True, slots=True)
class Measured:
    """What repeats of one prompt length gave; first_token_s is the shortest."""

    prompt_tokens: int
    written_tokens: int
    prefill: Rate
    decode: Rate
    first_token_s: float
    samples: tuple[Sample, ...]


class Verdict(StrEnum):
    """What tuning found: a faster setting, none, repeats that differ too much, too little time."""

    FASTER = "faster"
    KEPT = "kept"
    NOISY = "noisy"
    UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True)
class Trial:
    """A setting that was tried, by what it has otherwise than the plan; rates are its best.

    turn_s is what a usual turn takes with them; noise by how much its rounds differ (0 to 1).
    """

    changes: Mapping[str, object]
    prefill: float
    decode: float
    turn_s: float
    noise: float


@dataclass(frozen=True, slots=True)
class Tuning:
    """What tuning found: the launch to use, and the part of a turn's time that it saves.

    noise is that of the planned launch, whose trial is the first.
    """

    verdict: Verdict
    launch: Launch
    gain: float
    noise: float
    trials: tuple[Trial, ...]
