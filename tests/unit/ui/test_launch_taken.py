"""What the engine took, beside what was planned."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.contract.engine import Buffer, Loaded
from rony_desktop.ui.badge import only_processor
from rony_desktop.ui.launch.taken import Taken, Value, taken
from tests.fixture.plan import CARD, planned


def test_what_the_engine_says_stands_beside_the_plan(tmp_path: Path) -> None:
    made = planned(tmp_path, gpus=(CARD,))
    layers, whole = made.launch.gpu_layers, made.model.block_count + 1
    assert layers
    loaded = Loaded(4096, 3, whole, (Buffer("CPU", 100, 20, 3), Buffer("Vulkan0", 7)))
    assert taken(made, loaded) == (
        Taken(Value.CONTEXT, made.launch.n_ctx, 4096),
        Taken(Value.LAYERS, layers, 3, whole),
        Taken(Value.MEMORY, made.plan.estimate.held_bytes, 130),
    )


def test_what_it_did_not_say_is_not_known(tmp_path: Path) -> None:
    found = taken(planned(tmp_path), None)
    assert [each.value for each in found] == [Value.CONTEXT, Value.MEMORY]
    assert all(each.taken is None for each in found)


def test_all_layers_are_as_many_as_there_are(tmp_path: Path) -> None:
    made = planned(tmp_path)
    made = replace(made, launch=replace(made.launch, gpu_layers=1 << 16))
    layers = taken(made, Loaded(4096, 17, 17))[1]
    assert layers == Taken(Value.LAYERS, 17, 17, 17)


@pytest.mark.parametrize(
    ("planned_layers", "taken_layers", "only"),
    [(8, 0, True), (8, 8, False), (8, 3, False), (8, None, False), (0, 0, False), (None, 0, False)],
)
def test_the_gpu_is_missed_only_where_the_plan_used_it(
    tmp_path: Path, planned_layers: int | None, taken_layers: int | None, only: bool
) -> None:
    made = planned(tmp_path)
    made = replace(made, launch=replace(made.launch, gpu_layers=planned_layers))
    assert only_processor(made, Loaded(4096, taken_layers)) is only
    assert not only_processor(made, None)
