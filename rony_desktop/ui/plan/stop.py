"""The contexts a slider stops at."""

from __future__ import annotations

SMALLEST = 2048
STEP = 256
LARGEST = 131_072  # of a model that does not say how far it was trained
_STEPS = 8  # between a power of two and the next


def stops(limit: int) -> tuple[int, ...]:
    """Contexts in tokens from the smallest up to the model's limit, close where they are small."""
    limit = limit or LARGEST
    found: list[int] = []
    size = SMALLEST
    while size < limit:
        found.append(size)
        octave = 1 << (size.bit_length() - 1)
        size += max(STEP, octave // _STEPS)
    return (*found, limit)


def nearest(sizes: tuple[int, ...], n_ctx: int) -> int:
    """Where among the stops a context is shown."""
    return min(range(len(sizes)), key=lambda index: abs(sizes[index] - n_ctx))
