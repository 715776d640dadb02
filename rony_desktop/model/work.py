"""What one token costs a launch: bytes that are read, products that are computed, and where."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from math import prod

from rony_desktop.contract.engine import Launch
from rony_desktop.contract.model import Machine, ModelMetadata, Tensor
from rony_desktop.model.geometry import Geometry, geometry_of
from rony_desktop.model.repack import repacked_bytes
from rony_desktop.model.tensor import size_of_row

_BLOCK = re.compile(r"blk\.(\d+)\.")
# Of these a token reads one row.
_LOOKED_UP = ("token_embd.weight", "per_layer_token_embd.weight", "position_embd.weight")
_MATRIX = 2
_F32_BYTES = 4
# Where the file has no table of tensors: bits of a weight in the usual mixes.
_USUAL_BYTES = 0.6


@dataclass(slots=True)
class Part:
    """What one token costs in one memory.

    plain and repacked count products by layout of the weights; last are those of the output, which
    a prompt needs for its last token only. cells count, by window (0: the whole context), bytes
    kept of a token and products with each token before it.
    """

    weight_bytes: float = 0.0
    plain: float = 0.0
    repacked: float = 0.0
    last: float = 0.0
    state_bytes: float = 0.0
    cell_bytes: Counter[int] = field(default_factory=Counter)
    cell_products: Counter[int] = field(default_factory=Counter)

    def cache_bytes(self, depth: float) -> float:
        """Bytes of the cache that a token reads after depth others."""
        return _seen(self.cell_bytes, depth)

    def attention_products(self, depth: float) -> float:
        """Products of a token with the depth tokens before it."""
        return _seen(self.cell_products, depth)


@dataclass(frozen=True, slots=True)
class Work:
    """What one token costs, on the host and on the device."""

    host: Part
    device: Part


def work_of(model: ModelMetadata, machine: Machine, launch: Launch) -> Work:
    """Work out what a token costs; of experts only those that are used count."""
    geometry = geometry_of(model)
    first = first_on_device(len(geometry.layers), machine, launch)
    work = Work(Part(), Part())
    on_device = first <= len(geometry.layers)
    flags = machine.cpu_flags if launch.repack and not on_device else frozenset()
    for tensor in model.tensors:
        block = _BLOCK.match(tensor.name)
        layer = int(block[1]) if block else len(geometry.layers)
        kept = "_exps." in tensor.name and layer < launch.n_cpu_moe
        part = work.device if layer >= first and not kept else work.host
        _add(part, tensor, geometry, flags)
    if not model.tensors:
        work.host.weight_bytes = model.size_bytes
        work.host.plain = model.size_bytes / _USUAL_BYTES
    _add_cache(work, geometry, launch, first)
    return work


def first_on_device(layers: int, machine: Machine, launch: Launch) -> int:
    """The first layer on the device; layers + 1 where not even the output is.

    What is left to the engine is taken to be all it has a device for.
    """
    wanted = launch.gpu_layers
    if wanted is None:
        wanted = layers + 1 if any(gpu.device for gpu in machine.gpus) else 0
    return max(0, layers + 1 - wanted)


def _add(part: Part, tensor: Tensor, geometry: Geometry, flags: frozenset[str]) -> None:
    size, products = float(tensor.size_bytes or 0), float(prod(tensor.shape))
    if "_exps." in tensor.name and geometry.experts:
        share = geometry.experts_used / geometry.experts
        size, products = size * share, products * share
    output = tensor.name == "output.weight"
    if tensor.name in _LOOKED_UP:
        output = geometry.tied and tensor.name == _LOOKED_UP[0]
        if not output:
            return
    part.weight_bytes += size
    if output:
        part.last += products
    elif len(tensor.shape) >= _MATRIX:
        if repacked_bytes(tensor, flags):
            part.repacked += products
        else:
            part.plain += products


def _add_cache(work: Work, geometry: Geometry, launch: Launch, first: int) -> None:
    for index, layer in enumerate(geometry.layers):
        part = work.device if index >= first else work.host
        row = size_of_row(launch.cache_type_k, layer.key_width)
        row += size_of_row(launch.cache_type_v, layer.value_width)
        part.cell_bytes[layer.window] += row
        if layer.key_width:
            part.cell_products[layer.window] += 2 * geometry.query_width
        # A state is read and written anew with every token.
        part.state_bytes += 2 * layer.state * _F32_BYTES


def _seen(by_window: Counter[int], depth: float) -> float:
    return sum(
        each * (min(depth, window) if window else depth) for window, each in by_window.items()
    )
