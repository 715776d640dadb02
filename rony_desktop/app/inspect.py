"""The use case behind `inspect`: what a model file says of itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path

from rony_desktop.contract.model import ModelMetadata
from rony_desktop.model.geometry import geometry_of
from rony_desktop.model.gguf import GgufMetadataReader
from rony_desktop.model.tensor import bytes_by_kind


@dataclass(frozen=True, slots=True)
class Inspection:
    """A file's metadata and what follows from it; known is False for an architecture that is not.

    layers counts those of each kind, bytes_by_type the weights of each type, the largest first.
    """

    metadata: ModelMetadata
    known: bool
    role: str
    layers: Mapping[str, int]
    window: int
    experts: int
    experts_used: int
    parameters: int
    bytes_by_type: Mapping[str, int]


def inspect_file(path: Path) -> Inspection:
    """Read the header of a model in one file or several. Blocking.

    Raises:
        ModelFileError: the file cannot be used.
    """
    model = GgufMetadataReader().read(path)
    geometry = geometry_of(model)
    return Inspection(
        metadata=model,
        known=geometry.known,
        role=str(geometry.role),
        layers=dict(Counter(str(layer.kind) for layer in geometry.layers)),
        window=max((layer.window for layer in geometry.layers), default=0),
        experts=geometry.experts,
        experts_used=geometry.experts_used,
        parameters=sum(prod(tensor.shape) for tensor in model.tensors),
        bytes_by_type=bytes_by_kind(model.tensors),
    )
