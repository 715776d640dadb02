"""Finds out whether another setting is faster here than the planned one, and says so only if sure.

Settings take turns, so that what else the computer does meets all of them alike. Other work only
ever slows a round down: the best counts, and the second best has to confirm it. How far the two
differ is the noise a gain has to exceed; where it is large there are more rounds, if time is left.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Protocol

from rony_desktop.contract.engine import Launch
from rony_desktop.contract.error import BenchmarkError, EngineError, ProviderError
from rony_desktop.contract.port import LLMClient
from rony_desktop.contract.speed import Trial, Tuning, Verdict
from rony_desktop.model.benchmark import LEAST_WRITTEN, measure, summary
from rony_desktop.model.variant import changes

LIMIT_S = 80.0
# As many as this at first, and up to as many again where they differ too much.
ROUNDS = 3
LEAST_ROUNDS = 2
REQUESTS = 3
# The best repeats of one setting tell nothing if they differ by more.
MOST_NOISE = 0.1
# Less is nothing a user notices, however sure it is.
LEAST_GAIN = 0.03
# Slower than this in one round, a setting gets no further one.
OUT = 0.05
# What is compared: seconds of a turn that reads and writes so many tokens.
TURN_READ, TURN_WRITTEN = 512, 128
# Reading and writing take about so long each; a fast engine is measured on more tokens.
_HALF_S = 0.5
_FIRST = (64, LEAST_WRITTEN)
_LENGTHS, _ANSWERS = (64, 512), (12, 96)
_BESIDE_TOKENS = 96


class Bench(Protocol):
    """Runs the engine with one launch at a time."""

    def running(self, launch: Launch) -> AbstractAsyncContextManager[LLMClient]:
        """The client of an engine that was started so; it is gone when the context is left."""
        ...


@dataclass(slots=True)
class _Runs:
    """One setting and its rounds: tokens a second in prefill and decode."""

    launch: Launch
    rounds: list[tuple[float, float]] = field(default_factory=list)

    @property
    def prefill(self) -> float:
        """The best of all rounds."""
        return max((prefill for prefill, _ in self.rounds), default=0.0)

    @property
    def decode(self) -> float:
        """The best of all rounds."""
        return max((decode for _, decode in self.rounds), default=0.0)

    @property
    def turn_s(self) -> float:
        """Seconds of a usual turn at the best of both."""
        return _turn_s(self.prefill, self.decode)

    @property
    def noise(self) -> float:
        """By how much a turn at the second best of both is slower; 1 where there are not two."""
        if len(self.rounds) < LEAST_ROUNDS:
            return 1.0
        prefill, decode = (sorted(each)[-LEAST_ROUNDS] for each in zip(*self.rounds, strict=True))
        return 1 - self.turn_s / _turn_s(prefill, decode)

    def told(self, planned: Launch) -> Trial:
        """What is reported of it."""
        changed = changes(self.launch, planned)
        return Trial(changed, self.prefill, self.decode, self.turn_s, self.noise)


TellTrial = Callable[[int, int, Mapping[str, object]], None]
"""Hears before each run how many of how many are done, and what is tried beside the plan."""


async def autotune(
    bench: Bench,
    planned: Launch,
    others: Sequence[Launch],
    *,
    limit_s: float = LIMIT_S,
    rounds: int = ROUNDS,
    tell: TellTrial = lambda _done, _all, _changes: None,
) -> Tuning:
    """Try the planned launch and others; ends after limit_s and the end of the engine then running.

    Raises:
        EngineError: the planned launch does not start.
        ProviderError: the engine does not answer.
        BenchmarkError: its answers are too short to tell a speed.
    """
    search = _Search(bench, planned, others, limit_s, tell)
    try:
        async with asyncio.timeout(limit_s):
            await search.run(rounds)
    except TimeoutError:
        search.cut = True
    return search.tuning()


class _Search:
    def __init__(
        self,
        bench: Bench,
        planned: Launch,
        others: Sequence[Launch],
        limit_s: float,
        tell: TellTrial,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._bench = bench
        self._planned = _Runs(planned)
        self._others = [_Runs(launch) for launch in others]
        self._clock = clock
        self._end = clock() + limit_s
        self._tell = tell
        self._size = _FIRST
        self._begun = clock()
        self._done = self._all = 0
        self.cut = False

    async def run(self, rounds: int) -> None:
        """Let every setting run once a round, the planned one first."""
        self._begun = self._clock()
        self._all = rounds * (len(self._others) + 1)
        await self._once(self._planned)
        alive = await self._first_round()
        self._all = self._done + (rounds - 1) * (len(alive) + 1)
        # Where nothing is left to compare with, a second run tells how steady the machine is.
        usual = rounds if alive else LEAST_ROUNDS
        for number in range(1, 2 * rounds):
            if number >= usual:
                alive = self._faster(alive)
                if all(each.noise <= MOST_NOISE for each in (self._planned, *alive)):
                    return
            if not self._fits(len(alive) + 1):
                self.cut = self.cut or number < LEAST_ROUNDS
                return
            self._all = max(self._all, self._done + len(alive) + 1)
            await self._once(self._planned)
            for trial in list(alive):
                await self._try(trial, alive)

    def tuning(self) -> Tuning:
        """Judge what was measured."""
        planned = self._planned
        trials = (planned, *(trial for trial in self._others if trial.rounds))
        verdict, best, gain = Verdict.KEPT, planned, 0.0
        if len(planned.rounds) < LEAST_ROUNDS:
            verdict = Verdict.UNFINISHED
        elif planned.noise > MOST_NOISE:
            verdict = Verdict.NOISY
        else:
            sure = [trial for trial in trials[1:] if _surely_faster(trial, planned)]
            best = min(sure, key=lambda trial: trial.turn_s, default=planned)
            gain = 1 - best.turn_s / planned.turn_s
            if sure:
                verdict = Verdict.FASTER
            elif self.cut:
                verdict = Verdict.UNFINISHED
        told = tuple(trial.told(planned.launch) for trial in trials)
        return Tuning(verdict, best.launch, gain, planned.noise, told)

    async def _first_round(self) -> list[_Runs]:
        """The settings worth another round; the last ones are not tried where time is short."""
        alive: list[_Runs] = []
        for trial in self._others:
            # Itself now, then all of them once more.
            if not self._fits(len(alive) + 3):
                self.cut = True
                break
            alive.append(trial)
            await self._try(trial, alive)
        return alive

    def _faster(self, alive: list[_Runs]) -> list[_Runs]:
        """The settings that seem to be faster than the plan so far."""
        return [trial for trial in alive if trial.turn_s < self._planned.turn_s]

    def _fits(self, runs: int) -> bool:
        """Whether so many more runs end in time; half a round would favour whom it reached."""
        now = self._clock()
        return now + runs * (now - self._begun) / self._done <= self._end

    async def _try(self, trial: _Runs, alive: list[_Runs]) -> None:
        """One run of another setting; one that fails or falls behind is out."""
        try:
            await self._once(trial)
        except (EngineError, ProviderError, BenchmarkError):
            alive.remove(trial)
            return
        if trial.turn_s > self._planned.turn_s * (1 + OUT):
            alive.remove(trial)

    async def _once(self, trial: _Runs) -> None:
        changed = changes(trial.launch, self._planned.launch)
        self._tell(self._done, max(self._all, self._done + 1), changed)
        async with self._bench.running(trial.launch) as client:
            first = await measure(client, *_FIRST)
            if not trial.rounds and trial is self._planned:
                timings = first.timings
                self._size = _size(
                    timings.prefill_tokens_per_s, timings.decode_tokens_per_s, trial.launch.n_ctx
                )
            found = summary([await measure(client, *self._size) for _ in range(REQUESTS)])
        trial.rounds.append((found.prefill.best, found.decode.best))
        self._done += 1


def _surely_faster(trial: _Runs, planned: _Runs) -> bool:
    """Whether a turn is faster by more than the noise of both, and neither half is slower."""
    noise = max(trial.noise, planned.noise)
    if noise > MOST_NOISE:
        return False
    return (
        trial.turn_s < planned.turn_s * (1 - max(trial.noise + planned.noise, LEAST_GAIN))
        and trial.prefill >= planned.prefill * (1 - noise)
        and trial.decode >= planned.decode * (1 - noise)
    )


def _size(prefill: float, decode: float, n_ctx: int) -> tuple[int, int]:
    """Words and tokens of a request that takes about a second in all."""
    written = round(min(max(decode * _HALF_S, _ANSWERS[0]), _ANSWERS[1]))
    length = round(min(max(prefill * _HALF_S, _LENGTHS[0]), _LENGTHS[1]))
    return max(1, min(length, n_ctx - written - _BESIDE_TOKENS)), written


def _turn_s(prefill: float, decode: float) -> float:
    return TURN_READ / max(prefill, 1e-9) + TURN_WRITTEN / max(decode, 1e-9)
