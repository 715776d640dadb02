"""A number of weights is enough for a rough plan."""

from __future__ import annotations

import pytest

from rony_desktop.model.geometry import geometry_of
from rony_desktop.model.outline import file_bytes, outline


@pytest.mark.parametrize("billions", [0.1, 0.6, 1.7, 8.0, 32.0, 70.0, 400.0])
def test_every_size_has_a_shape_the_planner_knows(billions: float) -> None:
    model = outline(billions, "Q4_K_M")
    geometry = geometry_of(model)
    assert geometry.known
    assert len(geometry.layers) == model.block_count
    held = sum(tensor.size_bytes or 0 for tensor in model.tensors)
    assert held == pytest.approx(file_bytes(billions, "Q4_K_M"), rel=0.001)


def test_a_larger_model_has_a_wider_body_and_a_larger_file() -> None:
    small, large = outline(1, "Q4_K_M"), outline(8, "Q4_K_M")
    assert small.embedding_length < large.embedding_length
    assert small.size_bytes * 7 < large.size_bytes


def test_of_a_mixture_only_a_part_works_on_a_token() -> None:
    geometry = geometry_of(outline(30, "Q4_K_M", active_b=3))
    assert geometry.experts_used / geometry.experts == pytest.approx(0.1, abs=0.02)
    assert geometry_of(outline(30, "Q4_K_M")).experts == 0


def test_a_usual_file_has_about_five_bits_a_weight() -> None:
    assert file_bytes(8, "Q4_K_M") == pytest.approx(4.9e9, rel=0.01)
    assert file_bytes(8, "never heard of") == pytest.approx(5e9, rel=0.01)
