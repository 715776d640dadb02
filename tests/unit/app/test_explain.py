from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.app.explain import changed, explained, reasons_of
from rony_desktop.contract.launch import PlannedLaunch
from rony_desktop.contract.plan import Source, Wanted, Why
from rony_desktop.engine.command import NEWEST, arguments
from tests.fake.record import FakeRecordStore
from tests.fixture.gguf import gguf
from tests.fixture.launch import ROOMY, launches_of


@pytest.fixture
async def planned(tmp_path: Path) -> PlannedLaunch:
    path = tmp_path / "tiny.gguf"
    path.write_bytes(gguf(ROOMY))
    return await launches_of(FakeRecordStore()).prepared(path)


def test_every_flag_of_the_command_has_its_reason(planned: PlannedLaunch) -> None:
    launch = replace(planned.launch, n_cpu_moe=2, repack=False)
    reasons = {**planned.reasons, "n_cpu_moe": planned.reasons["n_ctx"]}
    found = explained(launch, reasons, NEWEST)
    words = [word for flag in found for word in (flag.option, flag.value) if word]
    assert words == arguments(launch, NEWEST)
    assert all(flag.reason.why for flag in found)


def test_what_changed_the_plan_takes_the_place_of_its_reasons(planned: PlannedLaunch) -> None:
    base = planned.plan
    plan = replace(base, launch=replace(base.launch, n_ctx=2048, cache_type_k="q8_0"))
    launch = replace(plan.launch, threads=7)
    assert set(changed(plan, base)) == {"n_ctx", "cache_type_k"}
    reasons = reasons_of(base, plan, launch, Wanted())
    assert reasons["n_ctx"].source is reasons["cache_type_k"].source is Source.LOWERED
    assert reasons["threads"].why is Why.TUNED
    assert reasons["n_batch"] == base.reasons["n_batch"]


def test_machines_that_hold_a_part_are_said_to_be_unprotected(planned: PlannedLaunch) -> None:
    split = replace(planned.launch, rpc_workers=("a:1", "b:2"))
    found = {flag.option: flag for flag in explained(split, planned.reasons, NEWEST)}
    assert found["--rpc"].value == "a:1,b:2"
    assert found["--rpc"].reason.why is Why.WORKERS
