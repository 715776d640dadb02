"""A batch takes half a second at most, whatever the machine."""

from __future__ import annotations

from hypothesis import given, strategies as st

from rony_desktop.model.batch import batch_size

GIB = 1 << 30


def test_a_batch_is_about_half_a_second() -> None:
    assert batch_size(98_362_432, 2) == 128
    assert batch_size(5 * GIB, 8) == 32
    assert batch_size(98_362_432, 64) == 512


@given(st.integers(0, 1 << 42), st.integers(1, 256))
def test_batches_stay_in_their_bounds(size: int, cores: int) -> None:
    batch = batch_size(size, cores)
    assert 32 <= batch <= 512
    assert batch & (batch - 1) == 0
