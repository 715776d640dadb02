"""What the architecture tests read: the repository's own files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Not part of the repository: see .gitignore.
IGNORED = {".git", ".venv", "build", "dist", "__pycache__"}


def is_ours(name: str) -> bool:
    """Whether a folder belongs to the repository; caches begin with a dot."""
    if name in IGNORED or name.endswith((".egg-info", "_cache")):
        return False
    return not name.startswith(".") or name == ".ci"


@pytest.fixture(scope="session")
def root() -> Path:
    """The top folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def files() -> tuple[Path, ...]:
    """Every file of the repository."""
    found = []
    for folder, names, entries in os.walk(ROOT):
        names[:] = [name for name in names if is_ours(name)]
        found += [Path(folder, e) for e in entries if e == ".gitignore" or e[0] != "."]
    return tuple(sorted(found))


@pytest.fixture(scope="session")
def sources(files: tuple[Path, ...]) -> tuple[Path, ...]:
    """Every Python file of the repository."""
    return tuple(path for path in files if path.suffix == ".py")


@pytest.fixture(scope="session")
def modules(root: Path, sources: tuple[Path, ...]) -> tuple[Path, ...]:
    """Every module of the package, the empty shells of its folders left out."""
    package = root / "rony_desktop"
    return tuple(p for p in sources if package in p.parents and p.name != "__init__.py")
