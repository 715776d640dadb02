"""The repository names no machine; what it depends on is named, pinned and explained."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

# In pieces, so that this file does not find itself.
HOSTS = (
    "py" + "pi.org",
    "python" + "hosted",
    "npm" + "js.org",
    "deb." + "debian",
    "crates" + ".io",
)
PATHS = ("/wo" + "rk/", "/tmp/" + "bare", "/." + "library")


def test_no_file_names_a_registry_or_this_machine(root: Path, files: tuple[Path, ...]) -> None:
    pattern = re.compile("|".join(map(re.escape, HOSTS + PATHS)).encode())
    named = [
        f"{path.relative_to(root)}: {found.group().decode()}"
        for path in files
        if (found := pattern.search(path.read_bytes()))
    ]
    assert not named


def test_architecture_names_every_dependency(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    names = [re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0] for line in wanted]
    page = (root / "docs" / "architecture.md").read_text("utf-8")
    assert [name for name in names if f"`{name}`" not in page] == []


def test_every_dependency_is_pinned(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    pins = (root / "constraints.txt").read_text("utf-8")
    pinned = set(re.findall(r"^([a-z0-9.-]+)==\S+$", pins, re.MULTILINE))
    names = {re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0].lower() for line in wanted}
    assert names - pinned == set()
    assert "://" not in pins


def test_python_versions_are_those_set_up_accepts(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["requires-python"] == ">=3.11,<3.14"
    assert (
        "(3, 11) <= sys.version_info[:2] < (3, 14)" in (root / "scripts/bootstrap.sh").read_text()
    )
    assert (3, 11) <= sys.version_info[:2] < (3, 14)
