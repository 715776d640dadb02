"""Which files hold the same model, in another quantization."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import prod

from rony_desktop.contract.model import ModelMetadata

# What a name says of the file and not of the model.
_FILE_WORDS = re.compile(
    r"[-_. ]?(?:ud-)?(?:[it]?q\d\w*|[bt]?f(?:16|32)|fp16|(?:mx|nv)fp4|gguf|imat|i1|\d{5}-of-\d{5})"
    r"(?=$|[-_. ])",
    re.IGNORECASE,
)
# What tells a fine-tune that kept its parent's name.
_TOLD = ("general.basename", "general.finetune")
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
    alike = all(_agree(model.values.get(key), other.values.get(key)) for key in _TOLD)
    return alike and _shape(model) == _shape(other) and _name(model) == _name(other)


def _agree(one: object, other: object) -> bool:
    """Whether two files say the same, or one of them nothing."""
    return not one or not other or _plain(str(one)) == _plain(str(other))


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
    return _plain(model.name or model.path.stem)


def _plain(name: str) -> str:
    return _SPACES.sub(" ", _FILE_WORDS.sub("", name)).strip().casefold()
