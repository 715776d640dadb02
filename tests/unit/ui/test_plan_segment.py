"""A memory in segments: they fill it, and say by how much a launch is too large."""

from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.contract.model import Gpu
from rony_desktop.contract.plan import Wanted
from rony_desktop.ui.plan.segment import Part, Stack, computer, device, excess
from tests.fixture.plan import CARD, planned
from tests.fixture.speed import GIB


def sizes(stack: Stack) -> dict[Part, int]:
    return {segment.part: segment.size_bytes for segment in stack.segments}


def test_segments_fill_the_memory_where_all_fits(tmp_path: Path) -> None:
    made = planned(tmp_path)
    stack = computer(made)
    found, share = sizes(stack), made.plan.estimate.host
    assert stack.total_bytes == sum(found.values()) == 16 * GIB
    assert stack.over_bytes == excess(made.plan) == 0
    assert found[Part.OTHERS] == 4 * GIB
    assert found[Part.WEIGHTS] == share.weights_bytes
    assert found[Part.CONTEXT] == share.kv_bytes
    assert found[Part.CACHE] == made.plan.cache_ram_bytes
    assert found[Part.FREE] == made.plan.ram.room_bytes - made.plan.ram_needed_bytes
    assert list(found) == [part for part in Part if part in found]


def test_what_the_running_model_gives_back_is_not_of_others(tmp_path: Path) -> None:
    found = sizes(computer(planned(tmp_path, again_gib=3)))
    assert found[Part.OTHERS] == GIB


def test_what_is_too_much_is_told(tmp_path: Path) -> None:
    made = planned(tmp_path, Wanted(n_ctx=131_072), free_gib=8)
    stack = computer(made)
    over = made.plan.ram_needed_bytes - made.plan.ram.room_bytes
    assert stack.over_bytes == excess(made.plan) == over > 0
    assert Part.FREE not in sizes(stack)
    assert sum(sizes(stack).values()) - stack.total_bytes == over


def test_states_of_recurrent_layers_are_context_too(tmp_path: Path) -> None:
    made = planned(tmp_path, twin="lfm2-1.2b")
    assert made.plan.estimate.recurrent_bytes
    share = made.plan.estimate.host
    assert sizes(computer(made))[Part.CONTEXT] == share.kv_bytes + share.recurrent_bytes


def test_a_gpu_has_a_memory_of_its_own(tmp_path: Path) -> None:
    made = planned(tmp_path, gpus=(CARD,))
    stack = device(made)
    assert stack is not None
    assert (stack.total_bytes, stack.name) == (4 * GIB, "Sample card")
    assert sizes(stack)[Part.OTHERS] == GIB
    assert sizes(stack)[Part.WEIGHTS] == made.plan.estimate.device.weights_bytes > 0
    assert Part.CACHE not in sizes(stack)
    assert device(planned(tmp_path)) is None


def test_a_card_that_two_backends_list_counts_once(tmp_path: Path) -> None:
    again = Gpu("Sample card", "CUDA0", "cuda", 4 * GIB, 2 * GIB, integrated=False)
    stack = device(planned(tmp_path, gpus=(again, CARD)))
    assert stack is not None
    assert stack.total_bytes == 4 * GIB


def test_what_an_integrated_card_holds_is_in_the_computers_memory(tmp_path: Path) -> None:
    card = Gpu("Graphics", "Vulkan0", "vulkan", 8 * GIB, 7 * GIB, integrated=True)
    made = planned(tmp_path, gpus=(card,))
    assert made.plan.shared
    found, estimate = sizes(computer(made)), made.plan.estimate
    assert found[Part.WEIGHTS] == estimate.host.weights_bytes + estimate.device.weights_bytes


@pytest.mark.parametrize("gpus", [(), (CARD,)])
def test_layers_that_no_gpu_can_hold_are_too_much(tmp_path: Path, gpus: tuple[Gpu, ...]) -> None:
    made = planned(tmp_path, Wanted(gpu_layers=99, n_ctx=131_072), gpus=gpus, free_gib=15)
    room = made.plan.vram.room_bytes if made.plan.vram else 0
    assert excess(made.plan) == made.plan.estimate.device.total_bytes - room > 0
