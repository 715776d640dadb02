"""Chooses how a model is launched so that it fits this machine.

What is given is fixed, the rest is planned around it: where the layers go, how much context the
memory left can hold, batches short enough for Stop to work, a prompt cache that holds one whole
context. Every value carries its reason.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable

from rony_desktop.contract.config import LlamaConfig, is_set
from rony_desktop.contract.engine import Launch
from rony_desktop.contract.error import PlanError
from rony_desktop.contract.model import Estimate, Machine, ModelMetadata
from rony_desktop.contract.plan import MIB, PlanResult, Reason, Source, Wanted, Why
from rony_desktop.model.batch import batch_size
from rony_desktop.model.mode import MODES
from rony_desktop.model.placement import Placement, Placer
from rony_desktop.model.reason import Choice, reasons_of
from rony_desktop.model.room import Room, room_of

SMALLEST_CONTEXT = 2048
CONTEXT_STEP = 256
# Asked of a model that does not say how far it was trained, where as much as fits is wanted.
LARGEST_CONTEXT = 131_072
SMALLEST_CACHE_RAM_MB = 256
EXACT, SMALLER = "f16", "q8_0"
# A quantised cache is stored in blocks of so many values of a head.
BLOCK = 32

Types = tuple[str, str]


class ModelPlanner:
    """Plans launches for one configuration."""

    def __init__(self, config: LlamaConfig) -> None:
        self._config = config

    def plan(
        self,
        model: ModelMetadata,
        machine: Machine,
        wanted: Wanted = Wanted(),  # noqa: B008 - frozen
        free_again_bytes: int = 0,
        vram_again_bytes: int = 0,
    ) -> PlanResult:
        """The launch for this model on this machine, as free as the machine is now.

        The bytes named come free when the model that is loaded now goes.

        Raises:
            PlanError: what is wanted contradicts itself.
        """
        room = room_of(machine, self._config, free_again_bytes, vram_again_bytes)
        return _Plan(self._config, model, machine, wanted, room).result()


def fits_in_memory(estimate: Estimate, machine: Machine, config: LlamaConfig) -> bool:
    """Whether a launch fits what is free now, the system's reserve and a margin left alone."""
    return room_of(machine, config).holds(estimate, _cache_ram_mb(estimate) * MIB)


def quantises(model: ModelMetadata, flash_attn: str | None) -> bool:
    """Whether the engine can hold a model's cache in blocks of a quantised type."""
    widths = (model.key_length, model.value_length)
    return flash_attn != "off" and not any(width % BLOCK for width in widths)


class _Plan:
    """One plan while it is made."""

    def __init__(
        self,
        config: LlamaConfig,
        model: ModelMetadata,
        machine: Machine,
        wanted: Wanted,
        room: Room,
    ) -> None:
        self._config = config
        self._model = model
        self._machine = machine
        self._wanted = wanted
        self._room = room
        self._mode_name = wanted.mode or config.optimization_mode
        self._mode = MODES[self._mode_name]
        self._placer = Placer(model, machine, room, wanted, self._mode.batch)

    def result(self) -> PlanResult:
        types = self._types()
        n_ctx, why = self._given_context()
        if not n_ctx:
            n_ctx, types, why = self._planned_context(types)
        placed = self._placer.place(n_ctx, types)
        launch = self._launch(n_ctx, types, placed)
        choice = Choice(
            launch=launch,
            placed=placed,
            context=why,
            mode=self._mode_name,
            architecture=self._model.architecture,
            all_layers=self._placer.all_layers,
            repacks=self._placer.repacks,
            reads_at_once=self._placer.reads_at_once,
        )
        return PlanResult(
            launch=launch,
            estimate=placed.estimate,
            ram=self._room.ram,
            vram=self._room.vram,
            shared=self._room.shared,
            fits=self._room.holds(placed.estimate, launch.cache_ram_mb * MIB),
            reasons=reasons_of(choice, self._wanted, self._room),
        )

    def _types(self) -> Types:
        """Types of K and V: what is given, else the mode's where the engine can."""
        key, value = self._wanted.cache_type_k, self._wanted.cache_type_v
        if self._placer.latent and key and value and key != value:
            detail = f"its keys and values are one, and cannot be {key} and {value}"
            raise PlanError(model=self._model.path.name, detail=detail)
        if self._wanted.flash_attn == "off" and value and not _plain(value):
            detail = f"values in {value} need flash attention, which is to be off"
            raise PlanError(model=self._model.path.name, detail=detail)
        default = (
            self._mode.cache_type if quantises(self._model, self._wanted.flash_attn) else EXACT
        )
        if self._placer.latent:
            default = key or value or default
        return key or default, value or default

    def _given_context(self) -> tuple[int, Reason]:
        """The context that somebody set, at most the model's own; 0 where nobody did."""
        source = Source.GIVEN if self._wanted.n_ctx else Source.CONFIG
        asked = self._wanted.n_ctx or self._config.models.main.ctx_size or 0
        own = self._model.context_length
        if own and asked > own:
            return own, Reason(Why.MODEL_LIMIT, source, {"limit": str(own)})
        return asked, Reason(Why.GIVEN if source is Source.GIVEN else Why.CONFIG, source)

    def _planned_context(self, types: Types) -> tuple[int, Types, Reason]:
        """What the mode asks for, or as much of it as memory and the model's training allow."""
        own = self._model.context_length
        most = min(self._mode.context or own or LARGEST_CONTEXT, own or LARGEST_CONTEXT)
        reason = Reason(Why.MODE, params={"mode": self._mode_name})
        if most == own:
            reason = Reason(Why.MODEL_LIMIT, params={"limit": str(own)})
        if self._mode.whole_on_gpu and self._room.vram:
            found = self._largest(most, types, self._is_whole)
            if found:
                return found, types, reason if found == most else _memory(most)
        found = self._largest(most, types, self._holds)
        if (
            found != most
            and self._mode.may_shrink
            and quantises(self._model, self._wanted.flash_attn)
        ):
            types = self._smaller()
            found = self._largest(most, types, self._holds)
        if found:
            return found, types, reason if found == most else _memory(most)
        return min(most, SMALLEST_CONTEXT), types, Reason(Why.SMALLEST)

    def _largest(self, most: int, types: Types, accept: Callable[[Placement], bool]) -> int:
        """The largest context up to most that is accepted; 0 where none is."""
        if accept(self._placer.place(most, types)):
            return most
        sizes = range(SMALLEST_CONTEXT, most, CONTEXT_STEP)
        too_large = bisect_left(
            sizes, True, key=lambda n_ctx: not accept(self._placer.place(n_ctx, types))
        )
        return sizes[too_large - 1] if too_large else 0

    def _holds(self, placed: Placement) -> bool:
        return self._room.holds(placed.estimate, _cache_ram_mb(placed.estimate) * MIB)

    def _is_whole(self, placed: Placement) -> bool:
        whole = placed.gpu_layers == self._placer.all_layers and not placed.n_cpu_moe
        return whole and self._holds(placed)

    def _smaller(self) -> Types:
        """Types that take half of the memory, where nothing else is given."""
        key, value = self._wanted.cache_type_k, self._wanted.cache_type_v
        default = (key or value or SMALLER) if self._placer.latent else SMALLER
        return key or default, value or default

    def _launch(self, n_ctx: int, types: Types, placed: Placement) -> Launch:
        wanted, machine, main = self._wanted, self._machine, self._config.models.main
        batch = min(batch_size(self._model.size_bytes, machine.logical_cores), self._mode.batch)
        flash = "auto" if _plain(types[1]) else "on"
        workers = self._config.rpc_workers
        # Where nobody asked the engine which devices there are, it is the one that knows; it also
        # is where other machines hold a part, for it counts what each takes.
        asks = bool(workers) or (self._room.vram is None and "gpus" in machine.unknown)
        left = self._room.left_bytes(placed.estimate)
        return Launch(
            model=self._model.path,
            alias=self._model.path.stem,
            n_ctx=n_ctx,
            n_batch=max(batch, placed.n_ubatch),
            n_ubatch=placed.n_ubatch,
            threads=max(1, machine.physical_cores - 1),
            threads_batch=machine.physical_cores,
            cache_ram_mb=_cache_ram_mb(placed.estimate, left // MIB),
            gpu_layers=None if asks and wanted.gpu_layers is None else placed.gpu_layers,
            flash_attn=wanted.flash_attn or flash,
            cache_type_k=types[0],
            cache_type_v=types[1],
            port=main.port if is_set(main, "port") else None,
            parallel=wanted.parallel,
            n_cpu_moe=placed.n_cpu_moe,
            repack=wanted.repack,
            swa_full=wanted.swa_full,
            rpc_workers=workers,
        )


def _cache_ram_mb(estimate: Estimate, left_mb: int = 0) -> int:
    """Memory of the prompt cache: one whole context, twice that where so much is left, in MiB.

    With room for one, a side call would drive out the chat it belongs to.
    """
    context_mb = math.ceil((estimate.kv_bytes + estimate.recurrent_bytes) / MIB)
    least = max(SMALLEST_CACHE_RAM_MB, context_mb)
    return min(max(least, left_mb), max(SMALLEST_CACHE_RAM_MB, 2 * context_mb))


def _plain(cache_type: str) -> bool:
    return cache_type in ("f32", "f16", "bf16")


def _memory(wanted: int) -> Reason:
    return Reason(Why.MEMORY, params={"wanted": str(wanted)})
