"""The pages in docs/ say what is true: the tree, the ticks, the dependencies."""

from __future__ import annotations

import re
from pathlib import Path

from rony_desktop.log import EventTag

TAGS = {str(tag) for tag in EventTag}


def named_modules(page: str) -> set[str]:
    """Modules the tree of docs/architecture.md names, as paths below rony_desktop/."""
    tree = page.split("<!-- tree -->")[1].split("```")[1]
    folder, named = "", set()
    for line in tree.splitlines():
        words = line.split()
        if words and words[0].endswith("/"):
            folder = "" if words[0] == "rony_desktop/" else words[0]
        named |= {folder + word for word in words if word.endswith(".py")}
    return named


def test_the_tree_is_the_tree(root: Path, modules: tuple[Path, ...]) -> None:
    page = (root / "docs" / "architecture.md").read_text("utf-8")
    there = {path.relative_to(root / "rony_desktop").as_posix() for path in modules}
    named = named_modules(page)
    assert there - named == set(), "not in the tree of docs/architecture.md"
    assert named - there == set(), "in the tree of docs/architecture.md, but not there"


def rows(root: Path) -> dict[str, list[str]]:
    """Rows of docs/checklist.md: id to its other cells."""
    page = (root / "docs" / "checklist.md").read_text("utf-8")
    cells = [re.split(r"\s*\|\s*", line.strip("| \n")) for line in page.splitlines() if "|" in line]
    return {row[0]: row[1:] for row in cells if re.fullmatch(r"[RSLD]\d+|[A-Z][A-Z0-9_]+", row[0])}


def test_every_tick_has_its_code_and_its_test(root: Path) -> None:
    wrong = []
    ticked = {id: cells for id, cells in rows(root).items() if cells[-1] == "x"}
    assert ticked
    for id, cells in ticked.items():
        where, test = (re.findall(r"`([^`]+)`", cell) for cell in cells[-3:-1])
        code = [root / "rony_desktop" / name for name in where]
        tests = [root / "tests" / name for name in test]
        there = [path.exists() or (root / path.name).exists() for path in code]
        if not (code and tests and all(there) and all(path.exists() for path in tests)):
            wrong.append(id)
        elif id in TAGS and not any(id in path.read_text("utf-8") for path in tests):
            wrong.append(f"{id}: its test does not name it")
    assert not wrong


def test_the_checklist_names_every_event_tag(root: Path) -> None:
    assert TAGS - rows(root).keys() == set()
