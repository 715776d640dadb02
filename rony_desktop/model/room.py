"""How much memory a launch may take: what is free, less what the system and the engine keep."""

from __future__ import annotations

from dataclasses import dataclass

from rony_desktop.contract.config import LlamaConfig
from rony_desktop.contract.model import Estimate, Gpu, Machine
from rony_desktop.contract.plan import MIB, Memory

# A server takes 100 to 200 MiB beside its buffers (measured: vocabulary, libraries).
RAM_MARGIN_BYTES = 256 * MIB
# What the engine's own fit leaves free on each device.
VRAM_MARGIN_BYTES = 1024 * MIB


@dataclass(frozen=True, slots=True)
class Room:
    """The memory of the computer and of the devices an engine uses; None where there are none.

    shared says that the devices' memory is part of the computer's.
    """

    ram: Memory
    vram: Memory | None = None
    shared: bool = False
    devices: str = ""

    def holds(self, need: Estimate, beside_bytes: int = 0) -> bool:
        """Whether a launch fits, with so much beside it in the computer's memory."""
        return self.on_device(need) and self.left_bytes(need) >= beside_bytes

    def left_bytes(self, need: Estimate) -> int:
        """What a launch leaves of the computer's memory, below 0 where it is too large."""
        shared = need.device.total_bytes if self.shared else 0
        return self.ram.room_bytes - need.host.total_bytes - shared

    def on_device(self, need: Estimate) -> bool:
        """Whether the device's part of a launch fits there."""
        room = self.vram.room_bytes if self.vram else 0
        return need.device.total_bytes <= room


def room_of(
    machine: Machine, config: LlamaConfig, free_again_bytes: int = 0, vram_again_bytes: int = 0
) -> Room:
    """What this machine has for a model now."""
    ram = Memory(
        free_bytes=machine.ram_free_bytes,
        again_bytes=free_again_bytes,
        reserve_bytes=min(config.os_reserve_mb * MIB, machine.ram_bytes // 4),
        margin_bytes=RAM_MARGIN_BYTES,
    )
    gpus = devices_of(machine)
    if not gpus:
        return Room(ram)
    # A device that has less than its margin gives nothing, and takes nothing from the others.
    useful = [gpu for gpu in gpus if (gpu.free_bytes or 0) > VRAM_MARGIN_BYTES] or gpus[:1]
    vram = Memory(
        free_bytes=sum(gpu.free_bytes or 0 for gpu in useful),
        again_bytes=vram_again_bytes,
        margin_bytes=VRAM_MARGIN_BYTES * len(useful),
    )
    names = ", ".join(gpu.name for gpu in useful)
    return Room(ram, vram, shared=bool(gpus[0].integrated), devices=names)


def devices_of(machine: Machine) -> list[Gpu]:
    """The devices an engine offloads to: real cards where there are any, of one backend.

    A card may be listed once by each backend of an engine.
    """
    listed = [gpu for gpu in machine.gpus if gpu.device and gpu.free_bytes is not None]
    cards = [gpu for gpu in listed if not gpu.integrated] or listed
    backends = {gpu.backend: [g for g in cards if g.backend == gpu.backend] for gpu in cards}
    return max(backends.values(), key=lambda gpus: sum(g.free_bytes or 0 for g in gpus), default=[])
