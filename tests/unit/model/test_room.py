"""The room for a model: what is free, less reserve and margins, on the devices that count."""

from __future__ import annotations

from rony_desktop.contract.config import LlamaConfig
from rony_desktop.contract.model import Estimate, Gpu, Machine, Share
from rony_desktop.model.room import Room, devices_of, room_of

GIB, MIB = 1 << 30, 1 << 20


def gpu(name: str, free_gib: float | None, backend: str = "cuda", **more: bool) -> Gpu:
    free = None if free_gib is None else int(free_gib * GIB)
    return Gpu(name, name, backend, total_bytes=free, free_bytes=free, **more)


def machine(*gpus: Gpu, ram: int = 32, free: int = 20) -> Machine:
    return Machine(ram * GIB, free * GIB, 4, 8, gpus=gpus)


def need(host_gib: float = 0, device_gib: float = 0) -> Estimate:
    host, device = (Share(weights_bytes=int(size * GIB)) for size in (host_gib, device_gib))
    return Estimate(
        host=host, device=device, repack_bytes=0, layout_bytes=0, peak_bytes=0, known=True
    )


def test_the_system_keeps_its_reserve_and_the_engine_a_margin() -> None:
    room = room_of(machine(), LlamaConfig())
    assert room.ram.room_bytes == 20 * GIB - 4096 * MIB - 256 * MIB
    assert room.vram is None


def test_the_reserve_is_a_quarter_of_a_small_computer() -> None:
    assert room_of(machine(ram=8, free=6), LlamaConfig()).ram.reserve_bytes == 2 * GIB
    config = LlamaConfig(os_reserve_mb=0)
    assert room_of(machine(ram=8, free=6), config).ram.reserve_bytes == 0


def test_what_the_loaded_model_gives_back_counts_as_free() -> None:
    before = room_of(machine(gpu("a", 2)), LlamaConfig())
    after = room_of(machine(gpu("a", 2)), LlamaConfig(), 3 * GIB, GIB)
    assert after.ram.room_bytes - before.ram.room_bytes == 3 * GIB
    assert before.vram
    assert after.vram
    assert after.vram.room_bytes - before.vram.room_bytes == GIB


def test_room_is_never_less_than_none() -> None:
    assert room_of(machine(ram=4, free=0), LlamaConfig()).ram.room_bytes == 0


def test_each_card_keeps_a_margin_and_one_without_it_counts_nothing() -> None:
    room = room_of(machine(gpu("a", 8), gpu("b", 6), gpu("c", 0.5)), LlamaConfig())
    assert room.vram
    assert room.vram.room_bytes == 12 * GIB
    assert room.devices == "a, b"


def test_a_card_that_is_full_is_still_there() -> None:
    room = room_of(machine(gpu("a", 0.5)), LlamaConfig())
    assert room.vram
    assert room.vram.room_bytes == 0


def test_a_card_that_two_backends_list_counts_once() -> None:
    both = (gpu("CUDA0", 8), gpu("Vulkan0", 7, "vulkan"))
    assert [found.name for found in devices_of(machine(*both))] == ["CUDA0"]


def test_cards_come_before_graphics_of_the_processor() -> None:
    found = devices_of(machine(gpu("inside", 16, integrated=True), gpu("card", 4)))
    assert [one.name for one in found] == ["card"]


def test_what_no_engine_lists_or_nothing_is_known_of_does_not_count() -> None:
    unlisted = Gpu("a", total_bytes=8 * GIB, free_bytes=8 * GIB)
    assert devices_of(machine(unlisted, gpu("b", None))) == []


def test_memory_of_integrated_graphics_is_the_computers() -> None:
    room = room_of(machine(gpu("inside", 16, integrated=True), ram=16, free=10), LlamaConfig())
    assert room.shared
    assert room.holds(need(1, 4))
    assert not room.holds(need(1, 5))


def test_host_and_device_must_both_hold() -> None:
    room = room_of(machine(gpu("a", 4)), LlamaConfig())
    assert room.holds(need(15, 3))
    assert not room.holds(need(16, 3))
    assert not room.holds(need(15, 3.1))
    assert room.holds(need(14), GIB)
    assert not room.holds(need(15), GIB)
    assert room.on_device(need(100, 3))


def test_nothing_goes_to_a_device_that_is_not_there() -> None:
    room = Room(room_of(machine(), LlamaConfig()).ram)
    assert room.on_device(need(1))
    assert not room.on_device(need(1, 0.1))
