"""Why each value of a plan is what it is."""

from __future__ import annotations

from dataclasses import dataclass

from rony_desktop.contract.config import OptimizationMode
from rony_desktop.contract.engine import Launch
from rony_desktop.contract.plan import Reason, Source, Wanted, Why
from rony_desktop.model.batch import LARGEST_BATCH
from rony_desktop.model.mode import MODES
from rony_desktop.model.placement import Placement
from rony_desktop.model.room import Room

GIVEN = Reason(Why.GIVEN, Source.GIVEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What was chosen, and what of the model and the mode bears on the reasons."""

    launch: Launch
    placed: Placement
    context: Reason
    mode: OptimizationMode
    architecture: str
    all_layers: int
    repacks: bool
    reads_at_once: bool


def reasons_of(choice: Choice, wanted: Wanted, room: Room) -> dict[str, Reason]:
    """The reason of every value of a launch and of its estimate, by name."""
    unknown = Reason(Why.UPPER_BOUND, params={"architecture": choice.architecture})
    flash = Why.FLASH_NEEDED if choice.launch.flash_attn == "on" else Why.FLASH_AUTO
    slots = GIVEN if wanted.parallel else Reason(Why.SLOTS_DEFAULT)
    layers = GIVEN if wanted.gpu_layers is not None else _layers(choice, room)
    found = {
        "n_ctx": choice.context,
        "gpu_layers": layers,
        "n_batch": _batch(choice),
        "n_ubatch": GIVEN if wanted.n_ubatch else _batch(choice),
        "threads": Reason(Why.ONE_CORE_LEFT),
        "threads_batch": Reason(Why.ALL_CORES),
        "flash_attn": GIVEN if wanted.flash_attn else Reason(flash),
        "cache_type_k": _type(choice, wanted.cache_type_k, choice.launch.cache_type_k),
        "cache_type_v": _type(choice, wanted.cache_type_v, choice.launch.cache_type_v),
        "cache_ram_mb": Reason(Why.CACHE_RAM),
        "parallel": slots,
        "repack": _repack(choice, wanted),
        "estimate": Reason(Why.RULES) if choice.placed.estimate.known else unknown,
    }
    if wanted.swa_full:
        found["swa_full"] = GIVEN
    if choice.launch.n_cpu_moe:
        found["n_cpu_moe"] = _experts(choice, room)
    return found


def _layers(choice: Choice, room: Room) -> Reason:
    if choice.launch.rpc_workers:
        return Reason(Why.ENGINE)
    if room.vram is None:
        return Reason(Why.NO_GPU if choice.launch.gpu_layers == 0 else Why.ENGINE)
    layers, devices = choice.placed.gpu_layers, {"devices": room.devices}
    if layers == choice.all_layers:
        return Reason(Why.GPU_ALL, params=devices)
    if not layers:
        return Reason(Why.GPU_FULL, params=devices)
    return Reason(Why.GPU_PART, params=devices | {"layers": str(choice.all_layers)})


def _experts(choice: Choice, room: Room) -> Reason:
    return Reason(
        Why.EXPERTS, params={"layers": str(choice.launch.n_cpu_moe), "devices": room.devices}
    )


def _batch(choice: Choice) -> Reason:
    if choice.reads_at_once:
        return Reason(Why.BATCH_WHOLE)
    most = MODES[choice.mode].batch
    if choice.launch.n_batch == most < LARGEST_BATCH:
        return Reason(Why.MODE, params={"mode": choice.mode})
    whole = choice.placed.gpu_layers == choice.all_layers and not choice.placed.n_cpu_moe
    return Reason(Why.BATCH_GPU if whole else Why.BATCH_TIME)


def _type(choice: Choice, wanted: str | None, chosen: str) -> Reason:
    if wanted:
        return GIVEN
    mode = MODES[choice.mode]
    if chosen == mode.cache_type != "f16":
        return Reason(Why.MODE, params={"mode": choice.mode})
    if chosen == "f16":
        return Reason(Why.CACHE_EXACT)
    return Reason(Why.CACHE_SMALLER if mode.may_shrink else Why.CACHE_ALIKE)


def _repack(choice: Choice, wanted: Wanted) -> Reason:
    if not wanted.repack:
        return GIVEN
    return Reason(Why.REPACK if choice.repacks else Why.REPACK_GPU)
