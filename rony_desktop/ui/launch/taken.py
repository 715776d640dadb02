"""What the engine really took of a launch, beside what was planned."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rony_desktop.contract.engine import Loaded
from rony_desktop.contract.launch import PlannedLaunch


class Value(StrEnum):
    """What is compared."""

    CONTEXT = "context"
    LAYERS = "layers"
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Taken:
    """One value as planned and as taken, None where it is not known; of counts all there are.

    Context in tokens, memory in bytes.
    """

    value: Value
    planned: int | None
    taken: int | None
    of: int = 0


def taken(planned: PlannedLaunch, loaded: Loaded | None) -> tuple[Taken, ...]:
    """Everything that can be compared; layers only where the plan or the engine has a GPU."""
    said = loaded or Loaded()
    launch, estimate = planned.launch, planned.plan.estimate
    all_layers = said.all_layers or planned.model.block_count + 1
    found = [Taken(Value.CONTEXT, launch.n_ctx, said.n_ctx)]
    if launch.gpu_layers or said.gpu_layers:
        layers = None if launch.gpu_layers is None else min(launch.gpu_layers, all_layers)
        found.append(Taken(Value.LAYERS, layers, said.gpu_layers, all_layers))
    held = estimate.held_bytes
    found.append(Taken(Value.MEMORY, held, _memory(planned, said) or None))
    return tuple(found)


def _memory(planned: PlannedLaunch, said: Loaded) -> int:
    """What the engine holds; weights it holds in its own layout are in its view of the file too."""
    mapped = sum(b.model_bytes for b in said.buffers if b.device.endswith("_Mapped"))
    twice = min(mapped, planned.plan.estimate.repack_bytes)
    own = any(buffer.own_layout for buffer in said.buffers)
    return said.total_bytes - (twice if own else 0)
