"""The sum adds up, in every memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.contract.plan import Wanted
from rony_desktop.ui.plan.ledger import Item, Line, computer, device, needed
from tests.fixture.plan import CARD, planned

PARTS = (Item.FILE, Item.LAYOUT, Item.KV, Item.STATES, Item.BATCH, Item.OUTPUT, Item.CACHE)


def by_item(lines: tuple[Line, ...]) -> dict[Item, int]:
    return {line.item: line.size_bytes for line in lines}


@pytest.mark.parametrize("twin", ["llama-3.2-1b", "lfm2-1.2b", "gemma-3-1b"])
def test_parts_add_up_to_what_is_needed_together(tmp_path: Path, twin: str) -> None:
    made = planned(tmp_path, twin=twin)
    found = by_item(needed(made.plan))
    assert sum(found.get(part, 0) for part in PARTS) == found[Item.TOGETHER]
    assert found[Item.TOGETHER] == made.plan.ram_needed_bytes
    assert Item.ON_GPU not in found
    assert (Item.STATES in found) is bool(made.plan.estimate.recurrent_bytes)


def test_what_lies_where_adds_up_too(tmp_path: Path) -> None:
    made = planned(tmp_path, gpus=(CARD,))
    found = by_item(needed(made.plan))
    assert found[Item.ON_GPU] + found[Item.IN_RAM] == found[Item.TOGETHER]
    assert -by_item(device(made.plan))[Item.NEEDED] == found[Item.ON_GPU]
    assert -by_item(computer(made.plan))[Item.NEEDED] == found[Item.IN_RAM]


def test_the_memory_there_is_is_counted_down_to_what_stays(tmp_path: Path) -> None:
    made = planned(tmp_path, again_gib=1)
    found = by_item(computer(made.plan))
    room = (Item.FREE, Item.AGAIN, Item.SYSTEM, Item.MARGIN)
    assert sum(found[item] for item in room) == found[Item.ROOM] == made.plan.ram.room_bytes
    assert found[Item.ROOM] + found[Item.NEEDED] == found[Item.LEFT]
    assert Item.OVER not in found
    assert device(made.plan) == ()


def test_too_much_is_told_instead_of_what_stays(tmp_path: Path) -> None:
    made = planned(tmp_path, Wanted(n_ctx=131_072), free_gib=8)
    found = by_item(computer(made.plan))
    assert found[Item.OVER] == -found[Item.NEEDED] - found[Item.ROOM] > 0
    assert Item.LEFT not in found


def test_layers_for_a_gpu_that_is_not_there_have_no_room(tmp_path: Path) -> None:
    made = planned(tmp_path, Wanted(gpu_layers=8))
    found = by_item(device(made.plan))
    assert found[Item.ROOM] == 0
    assert found[Item.OVER] == made.plan.estimate.device.total_bytes
