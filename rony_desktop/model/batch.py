"""How many tokens are read at once, so that Stop is soon heard."""

from __future__ import annotations

import math

SMALLEST_BATCH, LARGEST_BATCH = 32, 512
# Bytes of weights one core reads through per second in prefill: the slow end of what was measured
# (135M parameters in 98 MB at about 225 tokens/s a core).
PREFILL_BYTES_PER_S = 2.2e10
# The engine notices at the end of a batch that nobody listens any more, when the next has begun:
# giving up takes up to two batches, and Stop promises one and half a second.
BATCH_S = 0.5


def batch_size(model_bytes: int, cores: int) -> int:
    """Tokens of one batch that this machine reads in at most BATCH_S, as a power of two.

    A request is only given up between batches: they decide how long Stop takes in prefill.
    """
    tokens = PREFILL_BYTES_PER_S * cores * BATCH_S / max(model_bytes, 1)
    power = 1 << int(math.log2(max(tokens, 1)))
    return min(LARGEST_BATCH, max(SMALLEST_BATCH, power))
