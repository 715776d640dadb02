"""The contexts a slider stops at."""

import pytest

from rony_desktop.ui.plan.stop import LARGEST, SMALLEST, STEP, nearest, stops


@pytest.mark.parametrize("limit", [4096, 8192, 40_960, 131_072, 1_048_576, 10_000, 0])
def test_stops_rise_from_the_smallest_to_the_models_own_limit(limit: int) -> None:
    found = stops(limit)
    assert found[0] == SMALLEST
    assert found[-1] == (limit or LARGEST)
    assert list(found) == sorted(set(found))
    assert all(size % STEP == 0 for size in found[:-1])
    assert len(found) < 100


def test_every_power_of_two_up_to_the_limit_is_a_stop() -> None:
    assert {2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072} <= set(stops(131_072))


@pytest.mark.parametrize("limit", [512, 2048])
def test_a_model_of_one_context_has_one_stop(limit: int) -> None:
    assert stops(limit) == (limit,)


def test_an_exact_context_is_shown_at_the_stop_next_to_it() -> None:
    found = stops(32_768)
    assert found[nearest(found, 8200)] == 8192
    assert nearest(found, 1) == 0
    assert nearest(found, 1 << 30) == len(found) - 1
