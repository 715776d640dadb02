"""What one batch holds between its steps (llama.cpp's compute buffer).

The engine lays the tensors of a graph over each other, so the buffer is as large as the step that
holds the most. Each step below is the set of tensors alive in it, found from the graphs and
checked against the engine's own allocator on the geometries of the tests.
"""

from __future__ import annotations

from rony_desktop.contract.model import Setting
from rony_desktop.model.cache import Cache
from rony_desktop.model.geometry import Geometry, Kind

_F32_BYTES, _F16_BYTES = 4, 2


def compute_bytes(geometry: Geometry, setting: Setting, cache: Cache) -> int:
    """Bytes of the largest step of one batch."""
    tokens = batch_tokens(geometry, setting)
    # Logits are made after the layers, while nothing else of them is alive.
    output = geometry.vocabulary + geometry.width if geometry.embeds and geometry.causal else 0
    widest = max(_feed_forward(geometry), _attention(geometry, setting, cache, tokens), output)
    state = max((layer.state for layer in geometry.layers if layer.state), default=0)
    recurrent = tokens * _recurrence(geometry) + cache.slots * state * bool(geometry.recurrence)
    held = _F32_BYTES * max(tokens * widest, recurrent)
    return held + mask_bytes(geometry, setting, cache)


def mask_bytes(geometry: Geometry, setting: Setting, cache: Cache) -> int:
    """Bytes of the attention masks: one cell for every token and key."""
    tokens = batch_tokens(geometry, setting)
    seen = cache.cells + cache.window_cells if any(cache.kv_bytes) else 0
    if not geometry.causal:
        seen = tokens
    return tokens * seen * (_F16_BYTES if setting.flash_attn else _F32_BYTES)


def batch_tokens(geometry: Geometry, setting: Setting) -> int:
    """Tokens of one batch; a context is never longer than a batch of a causal model."""
    return min(setting.n_ubatch, setting.n_ctx) if geometry.causal else setting.n_ubatch


def _feed_forward(geometry: Geometry) -> int:
    """Values of one token while a feed-forward block runs."""
    width, ff = geometry.width, geometry.ff
    # Gate, up and their product; without a gate the activation works in place.
    branches = 3 if geometry.gated else 1
    dense = branches * ff + 3 * width + geometry.per_layer_width
    if geometry.per_layer_width:
        dense += 2 * geometry.query_width
    elif not geometry.fused and geometry.causal and not _mixed(geometry):
        dense += geometry.query_width
    used, expert_ff = geometry.experts_used, geometry.expert_ff
    sparse = 2 * used * (width + expert_ff)
    if geometry.expert_shared:
        sparse += 2 * width
    wide = 3 * used * expert_ff + 4 * width if used else 0
    return max(dense if ff else 0, sparse, wide)


def _attention(geometry: Geometry, setting: Setting, cache: Cache, tokens: int) -> int:
    """Values of one token while an attention block runs."""
    if not geometry.causal:
        scores = 0 if setting.flash_attn else geometry.heads * tokens
        held = (8 if geometry.gated else 6) * geometry.width
        return held + scores if scores else 0
    kinds = {layer.kind for layer in geometry.layers}
    if not any(layer.key_width for layer in geometry.layers):
        return 0
    scores = 0 if setting.flash_attn else geometry.heads * cache.cells
    if Kind.LATENT in kinds:
        latent = geometry.heads * (2 * geometry.key_width + geometry.latent_width)
        return scores + latent + geometry.width + 2 * geometry.key_width
    width, query, key = geometry.width, geometry.query_width, geometry.key_width
    held = 2 * key * (2 if Kind.WINDOW in kinds else 1) + 3 * width
    held += 0 if geometry.fused else 2 * query
    if geometry.per_layer_width or (_mixed(geometry) and geometry.recurrence is None):
        held += query
    if Kind.BOTH in kinds:
        # The scores do not fit into the place the other branch left: up to half a mask lies idle.
        held += width + (0 if setting.flash_attn else cache.cells // 2)
    return scores + held + geometry.per_layer_width


def _recurrence(geometry: Geometry) -> int:
    """Values of one token while a state-space block runs."""
    block = geometry.recurrence
    if block is None:
        return 0
    held = block.projected + 2 * block.convolved + 2 * block.inner + geometry.width
    if any(layer.kind is Kind.BOTH for layer in geometry.layers):
        held += geometry.width
    return held


def _mixed(geometry: Geometry) -> bool:
    return any(layer.state for layer in geometry.layers)
