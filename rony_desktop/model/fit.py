"""How well a plan fits, in one word."""

from __future__ import annotations

from rony_desktop.contract.launch import Fit
from rony_desktop.contract.plan import PlanResult, Why


def fit_of(plan: PlanResult) -> Fit:
    """Where the layers are counts first, then whether the context is as long as was asked for."""
    if not plan.fits:
        return Fit.TOO_LARGE
    layers = plan.reasons["gpu_layers"].why
    if plan.launch.n_cpu_moe or layers is Why.GPU_PART:
        return Fit.PARTLY
    if plan.reasons["n_ctx"].why in (Why.MEMORY, Why.SMALLEST):
        return Fit.SHORT
    if layers is Why.GPU_ALL:
        return Fit.GPU
    given = layers is Why.GIVEN and plan.estimate.device.total_bytes
    return Fit.PARTLY if given else Fit.FITS
