"""The header says the one thing of a launch that a user should notice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rony_desktop.contract.engine import EngineState, EngineStatus, Loaded
from rony_desktop.contract.launch import PlannedLaunch, Rung
from rony_desktop.contract.plan import Wanted
from rony_desktop.ui.badge import Badge, badge_of
from tests.fixture.plan import CARD, planned


@pytest.fixture(scope="module")
def on_gpu(tmp_path_factory: pytest.TempPathFactory) -> PlannedLaunch:
    return planned(tmp_path_factory.mktemp("gpu"), Wanted(gpu_layers=8), gpus=(CARD,))


@pytest.fixture(scope="module")
def on_cpu(tmp_path_factory: pytest.TempPathFactory) -> PlannedLaunch:
    return planned(tmp_path_factory.mktemp("cpu"))


def ready(layers: int | None = None, every: int = 17) -> EngineStatus:
    loaded = None if layers is None else Loaded(4096, layers, every)
    return EngineStatus(EngineState.READY, "x", loaded=loaded)


def test_a_gpu_that_was_planned_and_not_used_is_loud(on_gpu: PlannedLaunch) -> None:
    assert badge_of(on_gpu, ready(0)) is Badge.ON_CPU
    lowered = replace(on_gpu, rungs=(Rung.SMALLER_CACHE,))
    assert badge_of(lowered, ready(0)) is Badge.ON_CPU


def test_how_much_is_on_the_gpu_is_what_the_engine_says(on_gpu: PlannedLaunch) -> None:
    assert badge_of(on_gpu, ready(8)) is Badge.PARTLY
    assert badge_of(on_gpu, ready(17)) is Badge.GPU


def test_less_than_planned_is_said(on_cpu: PlannedLaunch) -> None:
    assert badge_of(replace(on_cpu, rungs=(Rung.HALF_CONTEXT,)), ready(0)) is Badge.LOWERED


def test_a_short_context_is_said_unless_something_is_worse(
    on_gpu: PlannedLaunch, on_cpu: PlannedLaunch
) -> None:
    assert badge_of(on_cpu, ready(0), short=True) is Badge.SHORT
    assert badge_of(on_gpu, ready(17), short=True) is Badge.SHORT
    assert badge_of(on_gpu, ready(0), short=True) is Badge.ON_CPU
    lowered = replace(on_cpu, rungs=(Rung.HALF_CONTEXT,))
    assert badge_of(lowered, ready(0), short=True) is Badge.LOWERED


@pytest.mark.parametrize("status", [ready(), ready(0), EngineStatus(EngineState.LOADING, "x")])
def test_what_is_plain_needs_no_word(on_cpu: PlannedLaunch, status: EngineStatus) -> None:
    assert badge_of(on_cpu, status) is Badge.NONE
    assert badge_of(None, status) is Badge.NONE


def test_nothing_is_said_until_it_runs(on_gpu: PlannedLaunch) -> None:
    assert badge_of(on_gpu, EngineStatus(EngineState.FAILED, "x")) is Badge.NONE


def test_a_restart_that_lost_the_gpu_is_loud_and_one_that_found_it_again_is_not(
    on_gpu: PlannedLaunch,
) -> None:
    restarting = EngineStatus(EngineState.WAITING, "x", restarts=1)
    seen = [ready(8), restarting, replace(ready(0), restarts=1), replace(ready(8), restarts=2)]
    badges = [badge_of(on_gpu, status) for status in seen]
    assert badges == [Badge.PARTLY, Badge.NONE, Badge.ON_CPU, Badge.PARTLY]


def test_what_other_machines_hold_is_not_called_a_gpu(on_gpu: PlannedLaunch) -> None:
    launch = replace(on_gpu.launch, rpc_workers=("10.0.0.9:50052",), gpu_layers=None)
    assert badge_of(replace(on_gpu, launch=launch), ready(17)) is Badge.NONE
