"""What each optimization mode asks of a plan."""

from __future__ import annotations

from dataclasses import dataclass

from rony_desktop.contract.config import OptimizationMode
from rony_desktop.model.batch import LARGEST_BATCH


@dataclass(frozen=True, slots=True)
class Mode:
    """The context wanted (None: as much as fits), the most tokens of a batch, the cache's type.

    whole_on_gpu gives up context for layers on the GPU; where may_shrink is set the cache is
    made smaller before the context is.
    """

    context: int | None
    batch: int = LARGEST_BATCH
    cache_type: str = "f16"
    whole_on_gpu: bool = False
    may_shrink: bool = False


# A quantised cache costs up to 40 % of prefill speed on a processor: the default never has one.
MODES = {
    OptimizationMode.BALANCED: Mode(8192),
    OptimizationMode.SPEED: Mode(4096, whole_on_gpu=True),
    OptimizationMode.CONTEXT: Mode(None, may_shrink=True),
    OptimizationMode.SMALL: Mode(4096, batch=128, cache_type="q8_0"),
}
