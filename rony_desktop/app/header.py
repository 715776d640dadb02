"""Headers of model files, each read once as long as its file stays the same."""

from __future__ import annotations

from pathlib import Path

from rony_desktop.contract.model import ModelMetadata
from rony_desktop.contract.port import MetadataReader


class Headers:
    """A MetadataReader that remembers what another one read."""

    def __init__(self, reader: MetadataReader) -> None:
        self._reader = reader
        self._known: dict[Path, tuple[int, ModelMetadata]] = {}

    def read(self, path: Path) -> ModelMetadata:
        """What a file's header says. Blocking. Raises ModelFileError."""
        changed = path.stat().st_mtime_ns if path.exists() else 0
        known = self._known.get(path)
        if known is None or known[0] != changed:
            known = self._known[path] = changed, self._reader.read(path)
        return known[1]
