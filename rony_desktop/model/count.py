"""Takes the engine's own count of a launch in the place of an estimate."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rony_desktop.contract.engine import Buffer, Loaded
from rony_desktop.contract.model import Estimate, Share
from rony_desktop.contract.plan import PlanResult, Reason, Why
from rony_desktop.model.room import Room


def counted(plan: PlanResult, loaded: Loaded) -> PlanResult:
    """The plan with what the engine counted: its estimate, whether it fits, and that reason.

    The engine's row of the computer's memory leaves out weights that it holds in a layout of its
    own, unless they have a row of their own; what the estimate knows of them is added then.
    """
    ours = plan.estimate
    host = _share(buffer for buffer in loaded.buffers if buffer.on_host)
    device = _share(buffer for buffer in loaded.buffers if not buffer.on_host)
    if not any(buffer.own_layout for buffer in loaded.buffers):
        weights = host.weights_bytes + ours.repack_bytes + ours.layout_bytes
        host = replace(host, weights_bytes=weights)
    # While it loads, the file is in memory beside what is not the file.
    beside = ours.peak_bytes - ours.host.total_bytes
    estimate = Estimate(
        host=host,
        device=device,
        repack_bytes=ours.repack_bytes,
        layout_bytes=ours.layout_bytes,
        peak_bytes=host.total_bytes + beside,
        known=ours.known,
    )
    room = Room(plan.ram, plan.vram, shared=plan.shared)
    return replace(
        plan,
        estimate=estimate,
        fits=room.holds(estimate, plan.cache_ram_bytes),
        reasons={**plan.reasons, "estimate": Reason(Why.ENGINE_SAYS)},
    )


def _share(buffers: Iterable[Buffer]) -> Share:
    """One memory's part; the engine does not tell keys and values from states."""
    found = tuple(buffers)
    return Share(
        weights_bytes=sum(buffer.model_bytes for buffer in found),
        kv_bytes=sum(buffer.context_bytes for buffer in found),
        compute_bytes=sum(buffer.compute_bytes for buffer in found),
    )
