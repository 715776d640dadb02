"""The settings worth trying beside a planned launch: none needs more memory than a little."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rony_desktop.contract.engine import Launch
from rony_desktop.contract.model import Machine, ModelMetadata

TUNED = ("threads", "threads_batch", "n_ubatch", "flash_attn", "repack")
SMALLEST_UBATCH = 64
# Without flash attention a batch holds its scores with every token before it.
SCORES_BYTES = 256 << 20
_F32_BYTES = 4


def variants(model: ModelMetadata, machine: Machine, launch: Launch) -> tuple[Launch, ...]:
    """Launches that differ from the planned one in one setting, the most promising first."""
    tried: list[Mapping[str, Any]] = [
        *({"threads": count} for count in _threads(machine)),
        *({"threads_batch": count} for count in _threads_batch(machine)),
        *({"n_ubatch": size} for size in (launch.n_ubatch // 2, launch.n_ubatch * 2)),
        *_layout(model, machine, launch),
    ]
    found = dict.fromkeys(replace(launch, **change) for change in tried)
    return tuple(each for each in found if each != launch and _possible(each))


def changes(launch: Launch, planned: Launch) -> dict[str, object]:
    """What a launch has otherwise than the planned one."""
    pairs = {name: getattr(launch, name) for name in TUNED}
    return {name: value for name, value in pairs.items() if value != getattr(planned, name)}


def settings(launch: Launch) -> dict[str, object]:
    """The settings that are tuned, by name."""
    return {name: getattr(launch, name) for name in TUNED}


def _threads(machine: Machine) -> Iterator[int]:
    """Decode is held up by the memory: more threads than fill it only wait for each other."""
    yield machine.physical_cores
    if machine.performance_cores:
        yield machine.performance_cores
    yield max(1, machine.physical_cores // 2)


def _threads_batch(machine: Machine) -> Iterator[int]:
    yield machine.logical_cores
    if machine.performance_cores:
        yield machine.performance_cores


def _layout(model: ModelMetadata, machine: Machine, launch: Launch) -> Iterator[Mapping[str, Any]]:
    plain = {launch.cache_type_k, launch.cache_type_v} <= {"f16", "f32", "bf16"}
    scores = model.head_count * launch.n_ctx * launch.n_ubatch * _F32_BYTES
    if launch.flash_attn != "off" and plain and scores <= SCORES_BYTES:
        yield {"flash_attn": "off"}
    # With a device in sight nothing is repacked anyway.
    if launch.repack and not any(gpu.device for gpu in machine.gpus):
        yield {"repack": False}


def _possible(launch: Launch) -> bool:
    return SMALLEST_UBATCH <= launch.n_ubatch <= launch.n_batch
