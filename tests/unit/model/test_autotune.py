from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from rony_desktop.contract.engine import Launch
from rony_desktop.contract.error import BenchmarkError, EngineError
from rony_desktop.contract.speed import Tuning, Verdict
from rony_desktop.model import autotune as tuner
from rony_desktop.model.autotune import autotune
from tests.fake.client import FakeBench, Rates
from tests.fixture.speed import launch

PLANNED = launch()
OTHER = launch(threads=4)
THIRD = launch(threads=2)


def speeds(
    other: Rates | None, planned: Rates = (500, 50)
) -> Callable[[Launch, int], Rates | None]:
    return lambda each, _: planned if each == PLANNED else other


async def test_a_surely_faster_setting_is_taken() -> None:
    bench = FakeBench(speeds((600, 60)))
    found = await autotune(bench, PLANNED, [OTHER])
    assert found.verdict is Verdict.FASTER
    assert found.launch == OTHER
    assert found.gain == pytest.approx(1 / 6)
    assert [trial.changes for trial in found.trials] == [{}, {"threads": 4}]
    assert bench.runs == [PLANNED, OTHER] * 3
    assert not bench.alive


async def test_of_two_the_faster_is_taken() -> None:
    bench = FakeBench(
        lambda each, _: {PLANNED: (500, 50), OTHER: (600, 60), THIRD: (700, 60)}[each]
    )
    assert (await autotune(bench, PLANNED, [OTHER, THIRD])).launch == THIRD


async def test_a_gain_too_small_to_be_sure_of_changes_nothing() -> None:
    found = await autotune(FakeBench(speeds((510, 51))), PLANNED, [OTHER])
    assert (found.verdict, found.launch, found.gain) == (Verdict.KEPT, PLANNED, 0)


async def test_a_gain_within_the_noise_of_both_changes_nothing() -> None:
    def shaky(each: Launch, number: int) -> Rates:
        by = 1.0 if number == 1 else 0.96
        return (500 * by, 50 * by) if each == PLANNED else (530 * by, 53 * by)

    found = await autotune(FakeBench(shaky), PLANNED, [OTHER])
    assert found.verdict is Verdict.KEPT
    assert found.noise == pytest.approx(0.04)
    assert found.trials[1].turn_s < found.trials[0].turn_s * 0.96


async def test_a_faster_turn_does_not_pay_for_slower_answers() -> None:
    found = await autotune(FakeBench(speeds((5000, 45))), PLANNED, [OTHER])
    assert found.verdict is Verdict.KEPT
    assert found.trials[1].turn_s < found.trials[0].turn_s


def fading(rates: Rates, number: int) -> Rates:
    """Never twice alike: each round a fifth slower than the one before."""
    return rates[0] * 0.8**number, rates[1] * 0.8**number


async def test_repeats_that_differ_by_more_than_a_tenth_conclude_nothing() -> None:
    bench = FakeBench(
        lambda each, number: fading((500, 50), number) if each == PLANNED else (900, 90)
    )
    found = await autotune(bench, PLANNED, [OTHER])
    assert (found.verdict, found.launch) == (Verdict.NOISY, PLANNED)
    assert found.noise == pytest.approx(0.2)
    assert bench.runs.count(PLANNED) == 2 * tuner.ROUNDS


async def test_a_setting_whose_own_repeats_differ_is_not_taken() -> None:
    bench = FakeBench(
        lambda each, number: (500, 50) if each == PLANNED else fading((900, 90), number)
    )
    found = await autotune(bench, PLANNED, [OTHER])
    assert (found.verdict, found.launch) == (Verdict.KEPT, PLANNED)


async def test_one_busy_round_hides_nothing() -> None:
    def busy(each: Launch, number: int) -> Rates:
        by = 0.5 if number == 1 else 1.0
        return (500 * by, 50 * by) if each == PLANNED else (600 * by, 60 * by)

    bench = FakeBench(busy)
    found = await autotune(bench, PLANNED, [OTHER])
    assert (found.verdict, found.launch, found.noise) == (Verdict.FASTER, OTHER, 0)
    assert len(bench.runs) == 6


async def test_where_rounds_differ_there_are_more_until_two_agree() -> None:
    by = (0.5, 1.0, 0.7, 0.8, 0.98)
    bench = FakeBench(
        lambda each, number: (
            (500 * by[number], 50 * by[number])
            if each == PLANNED
            else (480 * by[number], 49 * by[number])
        )
    )
    heard: list[tuple[int, int]] = []
    found = await autotune(
        bench, PLANNED, [OTHER], tell=lambda done, count, _: heard.append((done, count))
    )
    assert (found.verdict, found.noise) == (Verdict.KEPT, pytest.approx(0.02))
    # One that is not faster gets no further round.
    assert (bench.runs.count(PLANNED), bench.runs.count(OTHER)) == (5, 3)
    assert all(done < count for done, count in heard)


RATES = st.tuples(st.floats(100, 900), st.floats(10, 90))
CLOSE = st.tuples(st.floats(470, 550), st.floats(47, 55))
SLOWED = st.lists(st.sampled_from([1.0, 0.99, 0.95, 0.6]), min_size=6, max_size=6)


@given(
    others=st.tuples(CLOSE, CLOSE),
    slowed=st.tuples(SLOWED, SLOWED, SLOWED),
    quiet=st.integers(0, tuner.LEAST_ROUNDS - 1),
)
async def test_nothing_slower_than_the_plan_is_ever_kept(
    others: tuple[Rates, Rates], slowed: tuple[list[float], ...], quiet: int
) -> None:
    """Whatever slows rounds down, as long as the plan had one that nothing slowed down."""
    launches = [PLANNED, OTHER, THIRD]
    speed = [(500.0, 50.0), *others]
    slowed[0][quiet] = 1.0

    def rates(each: Launch, number: int) -> Rates:
        index = launches.index(each)
        by = slowed[index][number]
        return speed[index][0] * by, speed[index][1] * by

    found = await autotune(FakeBench(rates), PLANNED, launches[1:])
    true = [tuner._turn_s(*each) for each in speed]
    assert true[launches.index(found.launch)] <= true[0] * (1 + 1e-9)


@given(scripted=st.lists(st.lists(RATES, min_size=6, max_size=6), min_size=3, max_size=3))
async def test_what_is_kept_was_faster_than_the_plan_by_more_than_the_noise(
    scripted: list[list[Rates]],
) -> None:
    launches = [PLANNED, OTHER, THIRD]
    bench = FakeBench(lambda each, number: scripted[launches.index(each)][number])
    found = await autotune(bench, PLANNED, launches[1:])
    planned, *trials = found.trials
    kept = [trial for trial in trials if tuner.changes(found.launch, PLANNED) == trial.changes]
    assert (found.verdict is Verdict.FASTER) == bool(kept)
    for trial in kept:
        assert max(trial.noise, planned.noise) <= tuner.MOST_NOISE
        assert found.gain > trial.noise + planned.noise
        assert found.gain >= tuner.LEAST_GAIN
        assert trial.turn_s == pytest.approx(planned.turn_s * (1 - found.gain))


async def test_a_slower_setting_gets_one_round() -> None:
    bench = FakeBench(lambda each, _: {PLANNED: (500, 50), OTHER: (300, 30)}.get(each, (505, 50)))
    found = await autotune(bench, PLANNED, [OTHER, THIRD])
    assert [trial.noise < 1 for trial in found.trials] == [True, False, True]
    assert bench.runs.count(OTHER) == 1
    assert bench.runs.count(THIRD) == 3


async def test_where_all_are_slower_the_plan_is_measured_twice() -> None:
    bench = FakeBench(speeds((300, 30)))
    found = await autotune(bench, PLANNED, [OTHER, THIRD])
    assert found.verdict is Verdict.KEPT
    assert bench.runs.count(PLANNED) == 2


async def test_a_setting_that_does_not_start_is_left_out() -> None:
    found = await autotune(FakeBench(speeds(None)), PLANNED, [OTHER])
    assert (found.verdict, len(found.trials)) == (Verdict.KEPT, 1)


async def test_a_plan_that_does_not_start_is_an_error() -> None:
    with pytest.raises(EngineError):
        await autotune(FakeBench(lambda _each, _: None), PLANNED, [OTHER])


async def test_answers_too_short_are_an_error() -> None:
    bench = FakeBench(speeds((600, 60)))
    bench.longest = 2
    with pytest.raises(BenchmarkError):
        await autotune(bench, PLANNED, [OTHER])
    assert not bench.alive


async def test_it_ends_in_time_and_leaves_no_engine() -> None:
    bench = FakeBench(speeds((600, 60)))
    bench.hold = asyncio.Event()
    begun = time.monotonic()
    found = await autotune(bench, PLANNED, [OTHER], limit_s=0.1)
    assert time.monotonic() - begun < 5
    assert (found.verdict, found.launch, bench.alive) == (Verdict.UNFINISHED, PLANNED, [])


async def test_where_time_is_short_the_last_settings_are_left_out() -> None:
    # One run took all there was: no other setting can be compared.
    search = tuner._Search(
        FakeBench(speeds((600, 60))), PLANNED, [OTHER, THIRD], 0, lambda *_: None
    )
    await search.run(3)
    found = search.tuning()
    assert (found.verdict, len(found.trials)) == (Verdict.UNFINISHED, 1)


@pytest.mark.parametrize(
    ("fit", "verdict", "runs"), [(1, Verdict.UNFINISHED, 2), (2, Verdict.FASTER, 4)]
)
async def test_a_round_that_would_not_end_in_time_is_not_begun(
    fit: int, verdict: Verdict, runs: int
) -> None:
    bench = FakeBench(speeds((600, 60)))

    def clock() -> float:
        """A second for each run; the limit is a run more than the rounds that fit."""
        return len(bench.runs)

    search = tuner._Search(bench, PLANNED, [OTHER], 2 * fit + 1, lambda *_: None, clock)
    await search.run(3)
    assert search.tuning().verdict is verdict
    assert len(bench.runs) == runs


async def test_cancelling_leaves_no_engine() -> None:
    bench = FakeBench(speeds((600, 60)))
    bench.hold = asyncio.Event()
    running = asyncio.create_task(autotune(bench, PLANNED, [OTHER]))
    while not bench.alive:
        await asyncio.sleep(0)
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    assert running.cancelled()
    assert not bench.alive


async def test_progress_says_what_is_tried() -> None:
    heard: list[tuple[int, int, Mapping[str, object]]] = []
    await autotune(
        FakeBench(speeds((600, 60))), PLANNED, [OTHER], tell=lambda *each: heard.append(each)
    )
    assert heard[:2] == [(0, 6, {}), (1, 6, {"threads": 4})]
    assert heard[-1] == (5, 6, {"threads": 4})


async def test_a_small_context_gets_prompts_that_fit() -> None:
    tight = replace(PLANNED, n_ctx=256)
    found: Tuning = await autotune(FakeBench(lambda *_: (5000, 500)), tight, [])
    assert found.verdict is Verdict.KEPT
    assert tuner._size(5000, 500, 256) == (256 - 96 - 96, 96)
