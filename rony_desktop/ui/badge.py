"""What the header says of a launch beside the model's name: only what a user should notice."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from rony_desktop.contract.engine import EngineState, EngineStatus

if TYPE_CHECKING:  # the header needs the names alone
    from rony_desktop.contract.engine import Loaded
    from rony_desktop.contract.launch import PlannedLaunch


class Badge(StrEnum):
    """The one thing worth saying; NONE where all is plain."""

    NONE = ""
    GPU = "gpu"
    PARTLY = "partly"
    SHORT = "short"
    LOWERED = "lowered"
    ON_CPU = "on_cpu"


def badge_of(planned: PlannedLaunch | None, status: EngineStatus, *, short: bool = False) -> Badge:
    """How the model runs against how it was planned; the worst first.

    short tells that the plan has less context than its mode asks for.
    """
    if planned is None or status.state is not EngineState.READY:
        return Badge.NONE
    loaded = status.loaded
    if only_processor(planned, loaded):
        return Badge.ON_CPU
    if planned.rungs:
        return Badge.LOWERED
    if short:
        return Badge.SHORT
    # What is on other machines is on no GPU of this one.
    if planned.launch.rpc_workers or not planned.plan.estimate.device.total_bytes:
        return Badge.NONE
    layers = loaded.gpu_layers if loaded else planned.launch.gpu_layers
    every = loaded.all_layers if loaded else None
    whole = layers is None or every is None or layers >= every
    return Badge.GPU if whole and not planned.launch.n_cpu_moe else Badge.PARTLY


def only_processor(planned: PlannedLaunch, loaded: Loaded | None) -> bool:
    """Whether the plan gave layers to the GPU and the engine took none."""
    return bool(planned.launch.gpu_layers) and loaded is not None and loaded.gpu_layers == 0
