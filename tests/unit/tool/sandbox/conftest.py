"""A folder with an outside, and the box over it in both ways of enforcing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from rony_desktop.tool.sandbox.root import MAX_BYTES, Root

SECRET = b"secret"


@dataclass(frozen=True)
class Yard:
    """ROOT is the chosen folder; what lies beside it must never be reached."""

    folder: Path
    box: Root

    @property
    def outside(self) -> Path:
        return self.folder.parent

    def grow(self, *tree: str) -> None:
        """Make folders ("a/"), links ("a->b", $ABS: the folder), files holding their name."""
        for entry in tree:
            name, arrow, target = entry.partition("->")
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if arrow:
                path.symlink_to(target.replace("$ABS", str(self.folder)))
            elif name.endswith("/"):
                path.mkdir(parents=True, exist_ok=True)
            else:
                path.write_bytes(name.encode())


MODES = [pytest.param(True, id="openat2"), pytest.param(False, id="walk")]


@pytest.fixture(params=MODES)
def kernel(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def make_root(tmp_path: Path, kernel: bool) -> Iterator[Callable[..., Root]]:
    """Boxes that are closed at the end."""
    made: list[Root] = []

    def make(*folders: Path, max_bytes: int = MAX_BYTES) -> Root:
        made.append(Root(*folders, max_bytes=max_bytes, kernel=kernel))
        return made[-1]

    yield make
    for root in made:
        root.close()


@pytest.fixture
def yard(tmp_path: Path, make_root: Callable[..., Root]) -> Iterator[Yard]:
    folder = tmp_path / "yard" / "ROOT"
    folder.mkdir(parents=True)
    (folder.parent / "target").write_bytes(SECRET)
    (folder.parent / "side").mkdir()
    (folder.parent / "side" / "target").write_bytes(SECRET)
    before = snapshot(folder.parent)
    handles = open_handles()
    yield Yard(folder, make_root(folder))
    assert snapshot(folder.parent) == before, "something outside was changed"
    left = open_handles() - handles
    assert left <= 1, "handles were left open beside the box's own"


def open_handles() -> int:
    """How many handles this process holds."""
    return len(list(Path("/proc/self/fd").iterdir()))


def snapshot(outside: Path) -> dict[str, tuple[int, bytes]]:
    """Everything beside ROOT: kind and content."""
    found = {}
    for path in sorted(outside.rglob("*")):
        name = path.relative_to(outside)
        if name.parts[0] == "ROOT":
            continue
        kind = path.lstat().st_mode
        found[str(name)] = (kind, path.read_bytes() if path.is_file() else b"")
    return found
