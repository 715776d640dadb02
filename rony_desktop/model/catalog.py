"""The list of models that comes with the program, and which three of them suit a computer."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import resources

from pydantic import TypeAdapter

from rony_desktop.contract.hub import Candidate, CatalogEntry, Suggestion

# Slower than somebody reads along, about as fast, and so fast that nobody waits.
LARGE_PER_S = 4.0
BALANCED_PER_S = 8.0
SMALL_PER_S = 25.0
# The next smaller one should be smaller by enough to be felt.
STEP = 0.75
_ENTRIES = TypeAdapter(tuple[CatalogEntry, ...])


def load() -> tuple[CatalogEntry, ...]:
    """The catalog, the smallest model first. Blocking."""
    return read((resources.files("resources") / "catalog.yaml").read_text("utf-8"))


def read(text: str) -> tuple[CatalogEntry, ...]:
    """The entries of a catalog in YAML, the smallest first. Raises ValueError."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        content = YAML(typ="safe", pure=True).load(text)
    except YAMLError as error:
        raise ValueError(str(error)) from error
    entries = _ENTRIES.validate_python(content, strict=False)
    if len({entry.model for entry in entries}) < len(entries):
        raise ValueError("a model is there twice")
    return tuple(sorted(entries, key=lambda entry: entry.parameters_b))


def suggest(candidates: Iterable[Candidate]) -> Suggestion:
    """A small, a balanced and a large one of those that fit, each as able as its speed allows."""
    usable = sorted((each for each in candidates if each.fits), key=_size)
    large = _ablest(usable, LARGE_PER_S)
    balanced = _ablest(_below(usable, large), BALANCED_PER_S)
    return Suggestion(_ablest(_below(usable, balanced), SMALL_PER_S), balanced, large)


def _ablest(usable: list[Candidate], per_s: float) -> Candidate | None:
    """The largest that is fast enough, or whose speed nobody knows; else the fastest."""
    fast = [each for each in usable if each.tokens_per_s is None or each.tokens_per_s >= per_s]
    if fast:
        return fast[-1]
    return max(usable, key=lambda each: each.tokens_per_s or 0.0, default=None)


def _below(usable: list[Candidate], than: Candidate | None) -> list[Candidate]:
    return [each for each in usable if than and _size(each) <= STEP * _size(than)]


def _size(candidate: Candidate) -> float:
    return candidate.entry.parameters_b
