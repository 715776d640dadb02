"""The engine: llama-server as a supervised child."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from rony_desktop.contract.error import Failure


class EngineState(StrEnum):
    """Where the engine is. SUSPECT: alive but a health check failed; WAITING: back-off runs."""

    STOPPED = "stopped"
    LOADING = "loading"
    READY = "ready"
    SUSPECT = "suspect"
    WAITING = "waiting"
    STOPPING = "stopping"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """How to reach a model server: a unix socket where there is one, else base_url alone.

    base_url has no trailing slash and no /v1. The key is never printed.
    """

    base_url: str
    socket: Path | None = None
    key: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Launch:
    """Everything that decides how one model is started; sizes in tokens, memory in MiB.

    None leaves the choice to the engine. gpu_layers counts the output as one layer; experts of the
    first n_cpu_moe layers stay in the computer's memory. port is used only where the user set it.
    rpc_workers are the addresses (host:port) of machines that hold a part of the model.
    """

    model: Path
    alias: str
    n_ctx: int
    n_batch: int
    n_ubatch: int
    threads: int
    threads_batch: int
    cache_ram_mb: int
    gpu_layers: int | None = None
    flash_attn: str = "auto"
    cache_type_k: str = "f16"
    cache_type_v: str = "f16"
    port: int | None = None
    parallel: int | None = 1
    n_cpu_moe: int = 0
    repack: bool = True
    swa_full: bool = False
    rpc_workers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Buffer:
    """Memory the engine names on one device, in bytes: weights, context, and what a batch takes.

    device is the engine's word: CPU, CPU_Mapped, CPU_REPACK, AMX, Host, Vulkan0, CUDA0 ...
    """

    device: str
    model_bytes: int = 0
    context_bytes: int = 0
    compute_bytes: int = 0

    @property
    def total_bytes(self) -> int:
        """All of it."""
        return self.model_bytes + self.context_bytes + self.compute_bytes

    @property
    def on_host(self) -> bool:
        """Whether it is in the computer's memory: CPU_REPACK and CUDA_Host are, CUDA0 is not."""
        name = self.device.lower()
        # A worker's name has its address in it, which may be localhost.
        return not name.startswith("rpc") and any(
            word in name for word in ("cpu", "amx", "host", "blas")
        )

    @property
    def own_layout(self) -> bool:
        """Whether it holds weights in a layout of the engine's own: CPU_REPACK, AMX."""
        name = self.device.lower()
        return any(word in name for word in ("repack", "aarch64", "amx"))


@dataclass(frozen=True, slots=True)
class Loaded:
    """What an engine says of a model it loaded, or would load where it only forecasts.

    gpu_layers counts the output as one layer, as all_layers does; None where it did not say.
    """

    n_ctx: int | None = None
    gpu_layers: int | None = None
    all_layers: int | None = None
    buffers: tuple[Buffer, ...] = ()

    @property
    def total_bytes(self) -> int:
        """All buffers."""
        return sum(buffer.total_bytes for buffer in self.buffers)


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """A snapshot of the engine for the window and the doctor.

    asleep says of a stopped engine that it was stopped to free memory: the next question wakes it.
    """

    state: EngineState = EngineState.STOPPED
    model: str = ""
    pid: int | None = None
    binary: str = ""
    restarts: int = 0
    failure: Failure | None = None
    loaded: Loaded | None = None
    asleep: bool = False
