"""Experts of a mixture that stay in the computer's memory while their layers are on a GPU."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from rony_desktop.contract.model import Estimate, ModelMetadata

# The tensors llama.cpp keeps back with --n-cpu-moe.
_EXPERTS = re.compile(r"blk\.(\d+)\.ffn_(?:up|down|gate|gate_up)_(?:ch)?exps\.")


@dataclass(frozen=True, slots=True)
class Experts:
    """Bytes of the experts, and of their largest tensor, by layer."""

    bytes_by_layer: dict[int, int]
    largest: dict[int, int]

    @property
    def layers(self) -> int:
        """How many layers are to be counted from the first until all experts are in."""
        return max(self.bytes_by_layer, default=-1) + 1

    def bytes_between(self, first: int, until: int) -> int:
        """Bytes of the experts of the layers from first up to until."""
        return sum(size for n, size in self.bytes_by_layer.items() if first <= n < until)

    def on_host(self, need: Estimate, first: int, until: int) -> Estimate:
        """A launch whose layers from first on the device leave their experts to the host until."""
        weights = self.bytes_between(first, until)
        # A large batch is computed on the device, on a copy of the weights.
        copied = max((size for n, size in self.largest.items() if first <= n < until), default=0)
        host, device = need.host, need.device
        return replace(
            need,
            host=replace(host, weights_bytes=host.weights_bytes + weights),
            device=replace(
                device,
                weights_bytes=device.weights_bytes - weights,
                compute_bytes=device.compute_bytes + copied,
            ),
        )


def experts_of(model: ModelMetadata) -> Experts:
    """Add up the experts of each layer."""
    found = Experts({}, {})
    for tensor in model.tensors:
        if named := _EXPERTS.match(tensor.name):
            layer, size = int(named[1]), tensor.size_bytes or 0
            found.bytes_by_layer[layer] = found.bytes_by_layer.get(layer, 0) + size
            found.largest[layer] = max(found.largest.get(layer, 0), size)
    return found
