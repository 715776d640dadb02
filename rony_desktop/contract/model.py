"""Local models: files, their metadata, the machine they must fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class ModelRef:
    """A model the user can choose: provider, id, and the file where it is a local one."""

    provider: str
    id: str
    path: Path | None = None
    size_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Tensor:
    """A row of a GGUF tensor table: kind is its ggml_type, offset_bytes counts from the data.

    size_bytes is None where the kind is not known.
    """

    name: str
    shape: tuple[int, ...]
    kind: int
    offset_bytes: int
    size_bytes: int | None


@dataclass(frozen=True, slots=True)
class ModelMetadata:
    """What a GGUF header says. Token counts are in tokens, 0 where the file does not say.

    size_bytes is of all parts, which a model in one file has none of. values are the scalars by
    key; lists the numbers given by layer; templates the chat templates that have a name.
    """

    path: Path
    size_bytes: int
    architecture: str
    name: str = ""
    context_length: int = 0
    block_count: int = 0
    embedding_length: int = 0
    head_count: int = 0
    head_count_kv: int = 0
    key_length: int = 0
    value_length: int = 0
    vocabulary_size: int = 0
    chat_template: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    lists: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    tensors: tuple[Tensor, ...] = field(default=(), repr=False)
    parts: tuple[Path, ...] = ()
    tokenizer: str = ""
    tokenizer_pre: str = ""
    templates: Mapping[str, str] = field(default_factory=dict)

    @property
    def kv_bytes_per_token(self) -> int:
        """KV cache of one token in f16 over dense layers (the upper bound for other kinds)."""
        return self.block_count * self.head_count_kv * (self.key_length + self.value_length) * 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What of a launch decides how much memory it takes.

    parallel None is the server's default: four slots over one unified cache. gpu_layers counts
    the output as one layer; the experts of the first n_cpu_moe layers stay on the host. repack
    is False where the launch forbids it or a GPU is visible. cpu_flags are lower-case names as
    the system gives them. A weight above device_weight_bytes stays on the host (a limit of
    Vulkan devices; None: there is none).
    """

    n_ctx: int
    n_ubatch: int = 512
    cache_type_k: str = "f16"
    cache_type_v: str = "f16"
    flash_attn: bool = True
    parallel: int | None = 1
    swa_full: bool = False
    gpu_layers: int = 0
    n_cpu_moe: int = 0
    repack: bool = True
    cpu_flags: frozenset[str] = frozenset()
    device_weight_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Share:
    """The part of an estimate that one memory holds, in bytes."""

    weights_bytes: int = 0
    kv_bytes: int = 0
    recurrent_bytes: int = 0
    compute_bytes: int = 0
    output_bytes: int = 0

    @property
    def total_bytes(self) -> int:
        """All of it."""
        cache = self.kv_bytes + self.recurrent_bytes
        return self.weights_bytes + cache + self.compute_bytes + self.output_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Memory a launch needs, in bytes, split into what host and device hold.

    repack_bytes are the weights the engine holds in a layout of its own, at their size in the
    file; layout_bytes is what that layout adds: padding, and a second copy of an embedding that
    is the output too. peak_bytes is the most the host holds, while the file is in memory as well.
    known is False where the architecture or a type of its weights is not known: an upper bound.
    """

    host: Share
    device: Share
    repack_bytes: int
    layout_bytes: int
    peak_bytes: int
    known: bool

    @property
    def model_bytes(self) -> int:
        """Weights that stay as the file has them."""
        weights = self.host.weights_bytes + self.device.weights_bytes
        return weights - self.repack_bytes - self.layout_bytes

    @property
    def kv_bytes(self) -> int:
        """Keys and values of the context."""
        return self.host.kv_bytes + self.device.kv_bytes

    @property
    def recurrent_bytes(self) -> int:
        """States of recurrent layers."""
        return self.host.recurrent_bytes + self.device.recurrent_bytes

    @property
    def compute_bytes(self) -> int:
        """What one batch holds between its steps."""
        return self.host.compute_bytes + self.device.compute_bytes

    @property
    def output_bytes(self) -> int:
        """Logits of one token of every slot."""
        return self.host.output_bytes + self.device.output_bytes

    @property
    def total_bytes(self) -> int:
        """What cannot be reclaimed, each tensor counted once at its size in the file."""
        return self.held_bytes - self.layout_bytes

    @property
    def held_bytes(self) -> int:
        """What the engine takes of host and device together: what must fit."""
        return self.host.total_bytes + self.device.total_bytes


@dataclass(frozen=True, slots=True)
class Gpu:
    """A device beside the processor that can hold a model; None where it is not known.

    `device` is the engine's own name for it (Vulkan0, CUDA0); a device without one was found by
    the system and the engine did not list it. The memory of an integrated one is the computer's.
    """

    name: str
    device: str = ""
    backend: str = ""
    total_bytes: int | None = None
    free_bytes: int | None = None
    integrated: bool | None = None
    estimated: bool = False  # its memory follows from a rule of thumb and was not read


@dataclass(frozen=True, slots=True)
class Machine:
    """Hardware as found, within what this process may use; None where it is not known.

    Cores are those of its affinity and quota, `performance_cores` the physical ones of the fast
    kind. Flags are spelled as Linux does. `unknown` names the fields that could not be found out.
    """

    ram_bytes: int
    ram_free_bytes: int
    physical_cores: int
    logical_cores: int
    swap_bytes: int | None = None
    swap_free_bytes: int | None = None
    performance_cores: int | None = None
    cpu_name: str = ""
    cpu_flags: frozenset[str] = frozenset()
    architecture: str = ""
    gpus: tuple[Gpu, ...] = ()
    disk_free_bytes: int | None = None
    on_battery: bool | None = None
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sample:
    """Memory at one moment, in bytes; None where it is not known.

    ram_free_bytes can be had without swapping. stall is the share of the last ten seconds, in
    percent, in which some process waited for memory; kills counts what the kernel ended for it.
    """

    ram_bytes: int
    ram_free_bytes: int
    stall: float | None = None
    kills: int | None = None
