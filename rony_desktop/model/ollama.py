"""Reads the store of Ollama: manifests that name blobs by their hash."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rony_desktop.contract.adopt import Found, Program

MANIFEST_LIMIT_BYTES = 1024 * 1024
DEFAULT_NAMESPACE = "library"
_MODEL = "application/vnd.ollama.image.model"
_DIGEST = re.compile(r"sha256:([0-9a-f]{64})")


def find_ollama(folder: Path) -> Iterator[Found]:
    """The models of a store: manifests/HOST/NAMESPACE/NAME/TAG and blobs/sha256-HASH. Blocking.

    A manifest that cannot be read, or whose blob is not whole, is passed over.
    """
    for manifest in sorted((folder / "manifests").glob("*/*/*/*")):
        namespace, name, tag = manifest.parts[-3:]
        layer = _model_layer(manifest)
        digest = _DIGEST.fullmatch(str(layer.get("digest", "")))
        if digest is None:
            continue
        blob = folder / "blobs" / f"sha256-{digest[1]}"
        shown = f"{name}:{tag}" if namespace == DEFAULT_NAMESPACE else f"{namespace}/{name}:{tag}"
        try:
            size = blob.stat().st_size
        except OSError:
            continue
        if size == layer.get("size", size):
            yield Found(Program.OLLAMA, shown, blob, size, digest[1])


def _model_layer(manifest: Path) -> dict[str, Any]:
    """The layer of a manifest that is the model; empty where there is not just one."""
    try:
        if not manifest.is_file() or manifest.stat().st_size > MANIFEST_LIMIT_BYTES:
            return {}
        layers = json.loads(manifest.read_bytes())["layers"]
        found = [layer for layer in layers if layer["mediaType"] == _MODEL]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return {}
    return found[0] if len(found) == 1 else {}
