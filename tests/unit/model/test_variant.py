from __future__ import annotations

from rony_desktop.model.variant import changes, settings, variants
from tests.fixture.speed import card, launch, machine, model


def tried(**more: object) -> list[dict[str, object]]:
    planned = launch(**more)
    return [changes(each, planned) for each in variants(model(), machine(), planned)]


def test_each_differs_from_the_plan_in_one_setting() -> None:
    assert tried() == [
        {"threads": 4},
        {"threads": 2},
        {"threads_batch": 8},
        {"n_ubatch": 128},
        {"n_ubatch": 512},
        {"flash_attn": "off"},
        {"repack": False},
    ]


def test_a_batch_stays_one_that_stop_can_end_in_time() -> None:
    assert {"n_ubatch": 512} not in tried(n_batch=256)
    assert {"n_ubatch": 32} not in tried(n_batch=64, n_ubatch=64)


def test_fast_cores_alone_are_tried_where_there_are_slow_ones_too() -> None:
    mixed = machine(performance_cores=1)
    found = [changes(each, launch()) for each in variants(model(), mixed, launch())]
    assert {"threads": 1} in found
    assert {"threads_batch": 1} in found


def test_what_would_need_much_memory_or_cannot_work_is_not_tried() -> None:
    assert {"flash_attn": "off"} not in tried(n_ctx=131_072)
    assert {"flash_attn": "off"} not in tried(cache_type_v="q8_0")
    assert not [each for each in tried(flash_attn="off") if "flash_attn" in each]


def test_with_a_device_nothing_is_repacked_and_so_not_tried() -> None:
    found = variants(model(), machine(gpus=(card(),)), launch())
    assert all(each.repack for each in found)
    assert {"repack": False} not in tried(repack=False)


def test_settings_name_what_is_tuned() -> None:
    assert settings(launch())["threads"] == 3
    assert changes(launch(), launch()) == {}
