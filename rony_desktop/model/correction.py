"""What real runs taught: by which factor they were faster than what was worked out for them.

Kept by file, build, device and setting, and once for the whole machine, which corrects files that
never ran. A factor follows what the machine can do: other work only ever slows a run down, so a
faster run is believed at once, and one far slower than known counts little. Factors are averaged
as logarithms, newer ones count more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from math import exp, log
from typing import Any

from rony_desktop.contract.engine import Launch
from rony_desktop.contract.model import Machine, ModelMetadata
from rony_desktop.contract.port import RecordStore
from rony_desktop.contract.speed import Basis
from rony_desktop.model.calibration import machine_key

KIND = "speed"
# Part of a key: a change of the formulas in model/speed.py, or of what a mean is, makes older
# factors void.
FORMULA = 2
# Weight of a run: a faster one, one as slow as runs are now and then, and one slower than that,
# which was a busy moment unless it stays so.
FASTER, NEWEST, BUSY = 1.0, 0.3, 0.05
# Runs of one setting still differ, by other work and by heat; other files differ more: models of a
# billion weights had factors up to 1.7 from those of one of 135 million, before any busy moment.
LEAST_SPREAD, LEAST_SPREAD_ALIKE, LEAST_SPREAD_OTHER = 0.1, 0.2, 0.8
# A factor beyond this is no measurement.
LARGEST_LOG = 10.0
# Shorter ones measure the start more than the speed.
LEAST_READ, LEAST_WRITTEN = 32, 8


@dataclass(frozen=True, slots=True)
class Factor:
    """How many times faster than worked out a token went over weights, and over those before."""

    weights: float
    attention: float = 1.0


@dataclass(frozen=True, slots=True)
class Learned:
    """A factor, and how far the rate it gives may be off, as a logarithm."""

    weights: float
    attention: float
    spread: float


@dataclass(frozen=True, slots=True)
class Known:
    """What corrects a prediction, and whose runs told."""

    prefill: Learned | None
    decode: Learned | None
    basis: Basis


@dataclass(frozen=True, slots=True)
class Mean:
    """Logarithms of a factor that count runs told, and their mean distance from it."""

    weights: float = 0.0
    attention: float = 0.0
    spread: float = 0.0
    count: int = 0

    def add(self, factor: Factor, least: float) -> Mean:
        """Take one more run in; least is the spread that is usual between such runs."""
        if not self.count:
            return Mean(log(factor.weights), log(factor.attention), 0.0, 1)
        step = log(factor.weights) - self.weights
        share = FASTER if step > 0 else NEWEST if -step <= self._range(least) else BUSY
        attention = self.attention + share * (log(factor.attention) - self.attention)
        spread = self.spread + min(share, NEWEST) * (abs(step) - self.spread)
        return Mean(self.weights + share * step, attention, spread, self.count + 1)

    def learned(self, least: float) -> Learned | None:
        """The factor with its spread, None where nothing ran."""
        if not self.count:
            return None
        return Learned(exp(self.weights), exp(self.attention), self._range(least))

    def _range(self, least: float) -> float:
        return max(least, 2 * self.spread)


@dataclass(frozen=True, slots=True)
class Factors:
    """What one run taught of prefill and decode; None where it was too short to."""

    prefill: Factor | None
    decode: Factor | None


@dataclass(frozen=True, slots=True)
class _Entry:
    prefill: Mean = Mean()
    decode: Mean = Mean()

    def add(self, factors: Factors, least: float) -> _Entry:
        return _Entry(
            self.prefill.add(factors.prefill, least) if factors.prefill else self.prefill,
            self.decode.add(factors.decode, least) if factors.decode else self.decode,
        )


@dataclass(frozen=True, slots=True)
class Corrections:
    """What was learned so far, as read from the records; build is the engine's."""

    build: str = ""
    entries: Mapping[str, _Entry] = field(default_factory=dict)

    def of(self, model: ModelMetadata, machine: Machine, launch: Launch) -> Known:
        """What corrects this launch: its own runs, those alike, else those of other files."""
        here = _device(machine, launch)
        exact, alike = _key(model, machine, launch, self.build), _file_key(model, here)
        found = self.entries.get(exact, _Entry())
        near = [entry for key, entry in self.entries.items() if key.startswith(alike)]
        other = self.entries.get(here, _Entry())
        prefill, decode = (
            getattr(found, name).learned(LEAST_SPREAD)
            or max((getattr(entry, name) for entry in near), default=Mean(), key=_runs).learned(
                LEAST_SPREAD_ALIKE
            )
            for name in ("prefill", "decode")
        )
        basis = Basis.MACHINE if other != _Entry() else Basis.PROBE
        if prefill or decode:
            basis = Basis.RUN
        return Known(
            prefill or other.prefill.learned(LEAST_SPREAD_OTHER),
            decode or other.decode.learned(LEAST_SPREAD_OTHER),
            basis,
        )


async def corrections(records: RecordStore, build: str) -> Corrections:
    """Read what was learned; build is that of the engine that will run."""
    kept = await records.list(KIND)
    return Corrections(build, {key: _read(record) for key, record in kept.items()})


async def learn(
    records: RecordStore,
    run: tuple[ModelMetadata, Machine, Launch],
    build: str,
    factors: Factors,
) -> None:
    """Take one run in: for its file and setting, and for files that never ran.

    Raises:
        StorageError: it cannot be kept.
    """
    model, machine, launch = run
    if not (factors.prefill or factors.decode):
        return
    own, all_files = _key(model, machine, launch, build), _device(machine, launch)
    for key, least in ((own, LEAST_SPREAD), (all_files, LEAST_SPREAD_OTHER)):
        entry = _read(await records.get(KIND, key) or {}).add(factors, least)
        await records.put(KIND, key, asdict(entry))


def model_key(model: ModelMetadata) -> str:
    """A file by name and size: where it lies does not matter."""
    return f"{model.path.name} {model.size_bytes}"


def run_key(machine: Machine, model: ModelMetadata, *more: str) -> str:
    """A file on a machine, and what else tells one record of it from another."""
    return "|".join((machine_key(machine), model_key(model), *more))


def _device(machine: Machine, launch: Launch) -> str:
    gpus = [gpu.device for gpu in machine.gpus if gpu.device]
    device = "cpu" if launch.gpu_layers == 0 or not gpus else "+".join(gpus)
    return f"{FORMULA}|{machine_key(machine)}|{device}"


def _file_key(model: ModelMetadata, device: str) -> str:
    return f"{device}|{model_key(model)}|"


def _key(model: ModelMetadata, machine: Machine, launch: Launch, build: str) -> str:
    setting = (
        *(launch.threads, launch.threads_batch, launch.n_ubatch, launch.gpu_layers),
        *(launch.n_cpu_moe, launch.flash_attn, launch.cache_type_k, launch.cache_type_v),
        launch.repack,
    )
    words = " ".join(str(value) for value in setting)
    return f"{_file_key(model, _device(machine, launch))}{build}|{words}"


def _runs(mean: Mean) -> int:
    return mean.count


def _read(record: Mapping[str, Any]) -> _Entry:
    return _Entry(_mean(record.get("prefill")), _mean(record.get("decode")))


def _mean(record: object) -> Mean:
    """One mean of a record; what is no number counts as nothing learned."""
    if not isinstance(record, dict):
        return Mean()
    numbers = [record.get(name) for name in ("weights", "attention", "spread")]
    count = record.get("count")
    fit = [float(n) for n in numbers if isinstance(n, int | float) and abs(n) <= LARGEST_LOG]
    if len(fit) != len(numbers) or not isinstance(count, int) or count < 1:
        return Mean()
    weights, attention, spread = fit
    return Mean(weights, attention, abs(spread), count)
