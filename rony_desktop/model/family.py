"""Which files hold the same model, in another quantization."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import prod

from rony_desktop.contract.model import ModelMetadata

# What a name says of the file and not of the model.
_FILE_WORDS = re.compile(
    r"[-_. ]?(?:ud-)?(?:i?q\d[\w]*|[bt]?f(?:16|32)|fp16|bf16|mxfp4|gguf|imat|i1)(?=$|[-_. ])",
    re.IGNORECASE,
)
_SPACES = re.compile(r"[-_. ]+")


def smaller(model: ModelMetadata, others: Iterable[ModelMetadata]) -> ModelMetadata | None:
    """The largest file that is smaller than a model's own and holds the same model."""
    found = (
        other
        for other in others
        if other.size_bytes < model.size_bytes and other.chat_template and same(model, other)
    )
    return max(found, key=lambda other: other.size_bytes, default=None)


def same(model: ModelMetadata, other: ModelMetadata) -> bool:
    """Whether two files hold one model: the same network, and the same name where both say one."""
    return _shape(model) == _shape(other) and _name(model) == _name(other)


def _shape(model: ModelMetadata) -> tuple[object, ...]:
    return (
        model.architecture,
        model.block_count,
        model.embedding_length,
        model.head_count,
        model.head_count_kv,
        model.vocabulary_size,
        sum(prod(tensor.shape) for tensor in model.tensors),
    )


def _name(model: ModelMetadata) -> str:
    """A model's name without what is said of its file; the file's own where it has none."""
    said = model.name or model.path.stem
    return _SPACES.sub(" ", _FILE_WORDS.sub("", said)).strip().casefold()
