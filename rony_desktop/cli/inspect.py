"""`inspect`: what a model file says of itself."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Iterator, Mapping
from typing import Any

from rony_desktop.app.inspect import Inspection, inspect_file
from rony_desktop.cli.size import mib


async def inspect(options: argparse.Namespace) -> int:
    """Print what is known of the file."""
    found = await asyncio.to_thread(inspect_file, options.file.expanduser())
    if options.json:
        print(json.dumps(as_json(found), ensure_ascii=False))
    else:
        print("\n".join(_text(found)))
    return 0


def as_json(found: Inspection) -> dict[str, Any]:
    """A file as it is printed with --json; sizes are bytes, lengths tokens, widths values."""
    model = found.metadata
    return {
        "path": str(model.path),
        "parts": [str(part) for part in model.parts],
        "size_bytes": model.size_bytes,
        "name": model.name,
        "architecture": model.architecture,
        "architecture_known": found.known,
        "role": found.role,
        "context_length": model.context_length,
        "parameters": found.parameters,
        "geometry": {
            "layers": model.block_count,
            "layers_by_kind": dict(found.layers),
            "window": found.window,
            "embedding_length": model.embedding_length,
            "head_count": model.head_count,
            "head_count_kv": model.head_count_kv,
            "key_length": model.key_length,
            "value_length": model.value_length,
            "experts": found.experts,
            "experts_used": found.experts_used,
        },
        "quantization": {
            "bytes_by_type": dict(found.bytes_by_type),
            "bits_per_weight": _bits(found),
        },
        "tokenizer": {
            "kind": model.tokenizer,
            "pre": model.tokenizer_pre,
            "vocabulary_size": model.vocabulary_size,
        },
        "chat_template": bool(model.chat_template),
        "templates": sorted(model.templates),
    }


def _bits(found: Inspection) -> float:
    stored = sum(found.bytes_by_type.values())
    return round(8 * stored / found.parameters, 2) if found.parameters else 0.0


def _text(found: Inspection) -> Iterator[str]:
    model = found.metadata
    known = "" if found.known else " (not known here)"
    yield _line("name", model.name or "not given")
    yield _line("architecture", f"{model.architecture}{known}, a {found.role}")
    parts = f" in {len(model.parts) + 1} files" if model.parts else ""
    yield _line("size", f"{mib(model.size_bytes)}{parts}")
    yield _line("parameters", f"{found.parameters:,}, {_bits(found):g} bits each")
    yield _line("context", f"{model.context_length:,} tokens")
    yield _line("layers", f"{model.block_count}: {_counts(found.layers)}")
    if found.window:
        yield _line("window", f"{found.window:,} tokens")
    heads = f"{model.head_count} heads, {model.head_count_kv} for keys and values"
    yield _line("width", f"{model.embedding_length:,} values, {heads}")
    if found.experts:
        yield _line("experts", f"{found.experts}, {found.experts_used} used for a token")
    for kind, count in found.bytes_by_type.items():
        yield _line("weights", f"{kind:<8} {mib(count):>12}")
    pre = f" ({model.tokenizer_pre})" if model.tokenizer_pre else ""
    tokens = f"{model.vocabulary_size:,} tokens"
    yield _line("tokenizer", f"{model.tokenizer or 'not given'}{pre}, {tokens}")
    named = f", and {', '.join(sorted(model.templates))}" if model.templates else ""
    yield _line("chat template", f"{'yes' if model.chat_template else 'no'}{named}")


def _counts(layers: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in layers.items()) or "none"


def _line(name: str, text: str) -> str:
    return f"  {name:<14} {text}"
