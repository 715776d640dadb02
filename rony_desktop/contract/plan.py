"""Launch plans: what is wanted, what was chosen, why, and what it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rony_desktop.contract.config import OptimizationMode
from rony_desktop.contract.engine import Launch
from rony_desktop.contract.model import Estimate

ALL_LAYERS = 1 << 16
CACHE_TYPES = ("f32", "f16", "bf16", "q8_0", "q4_0", "q4_1", "iq4_nl", "q5_0", "q5_1")
MIB = 1 << 20


class Source(StrEnum):
    """Where a value of a plan comes from."""

    GIVEN = "given"
    CONFIG = "config"
    KEPT = "kept"
    TUNED = "tuned"
    LOWERED = "lowered"
    PLANNED = "planned"


class Why(StrEnum):
    """Why a value of a plan is what it is; its parameters are in the comment."""

    GIVEN = "given"
    CONFIG = "config"
    MODEL_LIMIT = "model_limit"  # limit
    MODE = "mode"  # mode
    MEMORY = "memory"  # wanted
    SMALLEST = "smallest"
    NO_GPU = "no_gpu"
    ENGINE = "engine"
    GPU_ALL = "gpu_all"  # devices
    GPU_PART = "gpu_part"  # layers, devices
    GPU_FULL = "gpu_full"  # devices
    EXPERTS = "experts"  # layers, devices
    BATCH_TIME = "batch_time"
    BATCH_GPU = "batch_gpu"
    BATCH_WHOLE = "batch_whole"
    ONE_CORE_LEFT = "one_core_left"
    ALL_CORES = "all_cores"
    FLASH_AUTO = "flash_auto"
    FLASH_NEEDED = "flash_needed"
    CACHE_EXACT = "cache_exact"
    CACHE_ALIKE = "cache_alike"
    CACHE_SMALLER = "cache_smaller"
    CACHE_RAM = "cache_ram"
    SLOTS_DEFAULT = "slots_default"
    ONE_CHAT = "one_chat"
    REPACK = "repack"
    REPACK_GPU = "repack_gpu"
    RULES = "rules"
    UPPER_BOUND = "upper_bound"  # architecture
    ENGINE_SAYS = "engine_says"
    KEPT = "kept"
    TUNED = "tuned"
    LOWERED = "lowered"
    THIS_FILE = "this_file"
    PRIVATE = "private"
    OFFLINE = "offline"
    NO_PAGES = "no_pages"
    STOP_SEEN = "stop_seen"
    MEASURED = "measured"
    PLAN_DECIDES = "plan_decides"
    WORKERS = "workers"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a value was chosen, as a code with parameters; the shells put it into words."""

    why: Why
    source: Source = Source.PLANNED
    params: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What of a launch is fixed; None leaves a value to the plan.

    parallel None is the server's default: four slots over one unified cache. gpu_layers counts
    the output as one layer, and more than there are means all. The experts of the first n_cpu_moe
    layers stay in the computer's memory, of more layers where they must.
    """

    mode: OptimizationMode | None = None
    n_ctx: int | None = None
    gpu_layers: int | None = None
    n_ubatch: int | None = None
    cache_type_k: str | None = None
    cache_type_v: str | None = None
    flash_attn: str | None = None
    parallel: int | None = None
    repack: bool = True
    swa_full: bool = False
    n_cpu_moe: int = 0


@dataclass(frozen=True, slots=True)
class Memory:
    """What one memory has for a model, in bytes.

    again_bytes come free when the loaded model goes; reserve_bytes are left to the system, and
    margin_bytes to what a launch takes beside its buffers.
    """

    free_bytes: int
    again_bytes: int = 0
    reserve_bytes: int = 0
    margin_bytes: int = 0

    @property
    def room_bytes(self) -> int:
        """What may be used."""
        left = self.free_bytes + self.again_bytes - self.reserve_bytes - self.margin_bytes
        return max(0, left)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanResult:
    """A launch, what it takes, what there is, and the reason of each value by its name.

    vram is None where no device is used by the engine; shared says that it is part of ram.
    """

    launch: Launch
    estimate: Estimate
    ram: Memory
    vram: Memory | None
    shared: bool
    fits: bool
    reasons: Mapping[str, Reason]

    @property
    def cache_ram_bytes(self) -> int:
        """What the prompt cache may take beside the live context."""
        return self.launch.cache_ram_mb * MIB

    @property
    def ram_needed_bytes(self) -> int:
        """What the computer's memory must hold."""
        shared = self.estimate.device.total_bytes if self.shared else 0
        return self.estimate.host.total_bytes + shared + self.cache_ram_bytes
