"""How much memory a launch needs, before it is made.

Formulas are read from llama.cpp and checked against its allocator (tests/fixture/twin.json).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rony_desktop.contract.model import Estimate, ModelMetadata, Setting, Share, Tensor
from rony_desktop.model.cache import Cache, cache_of
from rony_desktop.model.compute import batch_tokens, compute_bytes, mask_bytes
from rony_desktop.model.geometry import Geometry, geometry_of
from rony_desktop.model.repack import repacked_bytes

_F32_BYTES = 4
_BLOCK = re.compile(r"blk\.(\d+)\.")
_EXPERTS = "_exps."
_EMBEDDING = "token_embd.weight"
# Their loaders make the output before the input, and so hold an embedding used as both twice.
_HELD_TWICE = frozenset({"gemma3n", "gemma4"})


@dataclass(slots=True)
class _Weights:
    """Bytes of the weights by where they are; repacked and layout are on the host too."""

    host: int = 0
    device: int = 0
    repacked: int = 0
    layout: int = 0
    largest: int = 0

    def repack(self, size: int, new_size: int) -> None:
        """Count a weight that the engine holds in another layout."""
        self.repacked += size
        self.layout += new_size - size


def estimate(model: ModelMetadata, setting: Setting) -> Estimate:
    """Estimate the memory of a launch of this model."""
    geometry = geometry_of(model)
    cache = cache_of(geometry, setting)
    weights = _weights(model, geometry, setting)
    first = _first_on_device(len(geometry.layers), setting)
    compute = compute_bytes(geometry, setting, cache)
    on_host, on_device = _compute(geometry, setting, cache, compute, weights.largest)
    logits = geometry.vocabulary + (geometry.width if geometry.embeds else 0)
    host = Share(
        weights_bytes=weights.host + weights.repacked + weights.layout,
        kv_bytes=sum(cache.kv_bytes[:first]),
        recurrent_bytes=sum(cache.recurrent_bytes[:first]),
        compute_bytes=on_host,
        output_bytes=cache.slots * logits * _F32_BYTES,
    )
    device = Share(
        weights_bytes=weights.device,
        kv_bytes=sum(cache.kv_bytes[first:]),
        recurrent_bytes=sum(cache.recurrent_bytes[first:]),
        compute_bytes=on_device,
    )
    return Estimate(
        host=host,
        device=device,
        repack_bytes=weights.repacked,
        layout_bytes=weights.layout,
        peak_bytes=host.total_bytes + model.size_bytes - weights.host,
        known=geometry.known and all(t.size_bytes is not None for t in model.tensors),
    )


def _first_on_device(layers: int, setting: Setting) -> int:
    """The last layers are offloaded first, and the output counts as one of them."""
    return max(0, min(layers, layers + 1 - setting.gpu_layers))


def _weights(model: ModelMetadata, geometry: Geometry, setting: Setting) -> _Weights:
    if not model.tensors or any(tensor.size_bytes is None for tensor in model.tensors):
        return _Weights(host=model.size_bytes)
    found = _Weights()
    features = _features(setting)
    first = _first_on_device(len(geometry.layers), setting)
    for tensor in model.tensors:
        size = tensor.size_bytes or 0
        block = _BLOCK.match(tensor.name)
        if block and int(block[1]) >= geometry.trunk:
            continue
        if block:
            found.largest = max(found.largest, size)
        layer = int(block[1]) if block else len(geometry.layers)
        kept = layer < setting.n_cpu_moe and _EXPERTS in tensor.name
        offloaded = setting.gpu_layers > 0 and layer >= first and not kept
        if offloaded and (block or tensor.name.startswith("output")) and _fits(size, setting):
            found.device += size
        elif new_size := repacked_bytes(tensor, features):
            found.repack(size, new_size)
        else:
            found.host += size
        if tensor.name == _EMBEDDING and geometry.tied:
            _add_output(found, tensor, geometry, setting)
    return found


def _add_output(found: _Weights, embedding: Tensor, geometry: Geometry, setting: Setting) -> None:
    """Count the copy of an embedding that is the output too, where the engine makes one."""
    size = embedding.size_bytes or 0
    if setting.gpu_layers and _fits(size, setting):
        found.device += size
    elif copy := repacked_bytes(embedding, _features(setting), output=True):
        found.layout += copy
    elif geometry.architecture in _HELD_TWICE:
        found.host += size


def _features(setting: Setting) -> frozenset[str]:
    return setting.cpu_flags if setting.repack and not setting.gpu_layers else frozenset()


def _fits(size: int, setting: Setting) -> bool:
    return setting.device_weight_bytes is None or size <= setting.device_weight_bytes


def _compute(
    geometry: Geometry, setting: Setting, cache: Cache, compute: int, largest: int
) -> tuple[int, int]:
    """Split the compute buffer: with a device the host keeps what goes in and comes out."""
    if not setting.gpu_layers:
        return compute, 0
    tokens = batch_tokens(geometry, setting)
    host = tokens * 2 * geometry.width * _F32_BYTES + mask_bytes(geometry, setting, cache)
    # Large batches of layers left on the host run on the device, on a copy of their weights.
    partly = setting.gpu_layers <= len(geometry.layers)
    return host, compute + (largest if partly else 0)
