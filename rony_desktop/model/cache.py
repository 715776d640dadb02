"""What a context keeps between tokens: keys, values and recurrent states.

Sizes are those of llama.cpp's llama_kv_cache, llama_kv_cache_iswa and llama_memory_recurrent.
"""

from __future__ import annotations

from dataclasses import dataclass

from rony_desktop.contract.model import Setting
from rony_desktop.model.geometry import Geometry
from rony_desktop.model.tensor import size_of_row

DEFAULT_SLOTS = 4
_STEP = 256
_F32_BYTES = 4


@dataclass(frozen=True, slots=True)
class Cache:
    """Cells of a slot (all of the context, and of a window), and bytes by layer."""

    slots: int
    cells: int
    window_cells: int
    kv_bytes: tuple[int, ...]
    recurrent_bytes: tuple[int, ...]


def cache_of(geometry: Geometry, setting: Setting) -> Cache:
    """Work out the cache of a launch."""
    slots = setting.parallel or DEFAULT_SLOTS
    unified = setting.parallel is None
    streams = 1 if unified else slots
    cells = _padded(setting.n_ctx // streams)
    window = max((layer.window for layer in geometry.layers), default=0)
    window_cells = cells
    if window and not setting.swa_full:
        seen = window * (slots if unified else 1) + setting.n_ubatch
        window_cells = _padded(min(cells, seen))
    # Without flash attention V lies transposed, and every layer gets the widest one's room.
    widest = max((layer.value_width for layer in geometry.layers), default=0)
    kv_bytes = []
    for layer in geometry.layers:
        value = widest if layer.value_width and not setting.flash_attn else layer.value_width
        row = size_of_row(setting.cache_type_k, layer.key_width)
        row += size_of_row(setting.cache_type_v, value)
        kv_bytes.append(row * streams * (window_cells if layer.window else cells))
    return Cache(
        slots=slots,
        cells=cells,
        window_cells=window_cells if window else 0,
        kv_bytes=tuple(kv_bytes),
        recurrent_bytes=tuple(layer.state * _F32_BYTES * slots for layer in geometry.layers),
    )


def _padded(cells: int) -> int:
    return -(-cells // _STEP) * _STEP
