"""Local models: files, their metadata, the machine they must fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class ModelRef:
    """A model the user can choose: provider, id, and the file where it is a local one."""

    provider: str
    id: str
    path: Path | None = None
    size_bytes: int = 0


@dataclass(frozen=True, slots=True)
class ModelMetadata:
    """What a GGUF header says. Token counts are in tokens, 0 where the file does not say."""

    path: Path
    size_bytes: int
    architecture: str
    name: str = ""
    context_length: int = 0
    block_count: int = 0
    embedding_length: int = 0
    head_count: int = 0
    head_count_kv: int = 0
    key_length: int = 0
    value_length: int = 0
    vocabulary_size: int = 0
    chat_template: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def kv_bytes_per_token(self) -> int:
        """KV cache of one token in f16 over dense layers (the upper bound for other kinds)."""
        return self.block_count * self.head_count_kv * (self.key_length + self.value_length) * 2


@dataclass(frozen=True, slots=True)
class HubModel:
    """A model found on a hub."""

    id: str
    downloads: int
    gated: bool


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file of a hub model; sha256 is "" where the hub does not say."""

    model: str
    name: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Machine:
    """Hardware as found."""

    ram_bytes: int
    ram_free_bytes: int
    physical_cores: int
    logical_cores: int


@dataclass(frozen=True, slots=True)
class Sample:
    """Memory in use at one moment, in bytes; vram is None where it is not known."""

    ram_free_bytes: int
    engine_rss_bytes: int
    vram_free_bytes: int | None = None
