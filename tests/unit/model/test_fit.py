from __future__ import annotations

from dataclasses import replace

import pytest

from rony_desktop.contract.config import LlamaConfig
from rony_desktop.contract.launch import Fit
from rony_desktop.contract.model import Share
from rony_desktop.contract.plan import PlanResult, Reason, Why
from rony_desktop.model.fit import fit_of
from rony_desktop.model.planner import ModelPlanner
from tests.fixture.speed import machine, model

PLAN = ModelPlanner(LlamaConfig()).plan(model(), machine())


def having(**whys: Why) -> PlanResult:
    return replace(PLAN, reasons={**PLAN.reasons, **{n: Reason(why) for n, why in whys.items()}})


@pytest.mark.parametrize(
    ("plan", "fit"),
    [
        (having(gpu_layers=Why.NO_GPU, n_ctx=Why.MODE), Fit.FITS),
        (having(gpu_layers=Why.GPU_ALL, n_ctx=Why.MODE), Fit.GPU),
        (having(gpu_layers=Why.GPU_PART, n_ctx=Why.MEMORY), Fit.PARTLY),
        (having(gpu_layers=Why.GPU_ALL, n_ctx=Why.MEMORY), Fit.SHORT),
        (having(gpu_layers=Why.NO_GPU, n_ctx=Why.SMALLEST), Fit.SHORT),
        (having(gpu_layers=Why.GPU_FULL, n_ctx=Why.MODEL_LIMIT), Fit.FITS),
    ],
)
def test_the_reasons_say_how_well(plan: PlanResult, fit: Fit) -> None:
    assert fit_of(plan) is fit
    assert fit_of(replace(plan, fits=False)) is Fit.TOO_LARGE


def test_given_layers_are_on_the_gpu_where_they_take_memory_there() -> None:
    plan = having(gpu_layers=Why.GIVEN, n_ctx=Why.MODE)
    assert fit_of(plan) is Fit.FITS
    estimate = replace(plan.estimate, device=Share(weights_bytes=1))
    assert fit_of(replace(plan, estimate=estimate)) is Fit.PARTLY
