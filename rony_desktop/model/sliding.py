"""Which layers look at a window of the text only, and how wide it is.

The defaults are those of llama.cpp's loaders, for files that do not say their pattern.
"""

from __future__ import annotations

from rony_desktop.contract.model import ModelMetadata

# Every n-th layer looks at everything, the last of n unless it is the first.
_PERIODS = {
    "afmoe": 4, "cohere2": 4, "exaone-moe": 4, "exaone4": 4, "gemma2": 2, "gemma3": 6,
    "gemma3n": 5, "llama4": 4, "modern-bert": 3, "olmo2": 4, "gpt-oss": 2,
    "plamo3": 8, "smallthinker": 4,
}  # fmt: skip
_FULL_FIRST = frozenset({"modern-bert", "smallthinker"})
# Windows of files that do not say theirs.
_WINDOWS = {"gemma2": 4096, "exaone-moe": 128, "llama4": 8192}
# These say a window that the engine does not use.
_UNUSED = frozenset({"phi3", "phimoe"})
_EXAONE4_WINDOWED_LAYERS = 64


def windows_of(model: ModelMetadata, layers: int) -> tuple[int, ...]:
    """The window of each layer in tokens; 0 is the whole context."""
    architecture = model.architecture
    key = f"{architecture}.attention.sliding_window"
    window = model.values.get(key, _WINDOWS.get(architecture, 0))
    pattern = model.lists.get(key + "_pattern")
    period = model.values.get(key + "_pattern", _PERIODS.get(architecture, 0))
    whole = (0,) * layers
    if not isinstance(window, int) or window <= 0 or architecture in _UNUSED:
        return whole
    if architecture == "exaone4" and layers != _EXAONE4_WINDOWED_LAYERS:
        return whole
    if pattern is not None:
        return tuple(window if i < len(pattern) and pattern[i] else 0 for i in range(layers))
    if architecture.startswith("lfm2"):
        return (window,) * layers
    if not isinstance(period, int) or period <= 0:
        return whole
    full = 0 if architecture in _FULL_FIRST else period - 1
    return tuple(0 if i % period == full else window for i in range(layers))
