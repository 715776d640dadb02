"""Chooses how a model is launched so that it fits this machine.

The rules are few on purpose: a context that fits, batches short enough for Stop to work, a prompt
cache that holds one whole context. GPU offload is left to the engine's own fit.
"""

from __future__ import annotations

import math

from rony_desktop.contract.config import LlamaConfig, is_set
from rony_desktop.contract.engine import Launch
from rony_desktop.contract.model import Machine, ModelMetadata

MIB = 1 << 20
DEFAULT_CONTEXT = 8192
SMALLEST_CONTEXT = 2048
CONTEXT_STEP = 256
SMALLEST_BATCH, LARGEST_BATCH = 32, 512
# Bytes of weights one core reads through per second in prefill: the slow end of what was measured
# (135M parameters in 98 MB at about 225 tokens/s a core).
PREFILL_BYTES_PER_S = 2.2e10
# The engine notices at the end of a batch that nobody listens any more, when the next has begun:
# giving up takes up to two batches, and Stop promises one and half a second.
BATCH_S = 0.5


class ModelPlanner:
    """Plans launches for one configuration."""

    def __init__(self, config: LlamaConfig) -> None:
        self._config = config

    def plan(self, model: ModelMetadata, machine: Machine) -> Launch:
        """The launch for this model on this machine, as free as the machine is now."""
        main = self._config.models.main
        n_ctx = self._context(model, machine)
        if main.ctx_size:
            n_ctx = min(main.ctx_size, model.context_length or main.ctx_size)
        batch = batch_size(model.size_bytes, machine.logical_cores)
        kv_mb = math.ceil(model.kv_bytes_per_token * n_ctx / MIB)
        return Launch(
            model=model.path,
            alias=model.path.stem,
            n_ctx=n_ctx,
            n_batch=batch,
            n_ubatch=batch,
            threads=max(1, machine.physical_cores - 1),
            threads_batch=machine.physical_cores,
            cache_ram_mb=max(256, 2 * kv_mb),
            port=main.port if is_set(main, "port") else None,
        )

    def _context(self, model: ModelMetadata, machine: Machine) -> int:
        """The default context, or as much of it as memory and the model's training allow."""
        most = min(DEFAULT_CONTEXT, model.context_length or DEFAULT_CONTEXT)
        if not model.kv_bytes_per_token:
            return most
        reserve = min(self._config.os_reserve_mb * MIB, machine.ram_bytes // 4)
        room = machine.ram_free_bytes - reserve - model.size_bytes
        # The cache of one context stands beside the live one (see cache_ram_mb).
        fits = room // (2 * model.kv_bytes_per_token) // CONTEXT_STEP * CONTEXT_STEP
        return max(min(most, SMALLEST_CONTEXT), min(most, fits))


def batch_size(model_bytes: int, cores: int) -> int:
    """Tokens of one batch that this machine reads in at most BATCH_S, as a power of two.

    A request is only given up between batches: they decide how long Stop takes in prefill.
    """
    tokens = PREFILL_BYTES_PER_S * cores * BATCH_S / max(model_bytes, 1)
    power = 1 << int(math.log2(max(tokens, 1)))
    return min(LARGEST_BATCH, max(SMALLEST_BATCH, power))
