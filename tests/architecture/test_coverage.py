"""Every module that does something has a test file, and every event tag an emitter."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

from rony_desktop.log import EventTag

# These lists only shrink: a name in them that is no longer owed fails the test.
OWED: frozenset[str] = frozenset()
OWED_TAGS: frozenset[str] = frozenset(
    {
        "MCP_CONNECT",
        "MCP_TOOL_CALL",
        "MEMORY_RETRIEVAL_STAGE1",
        "MEMORY_RETRIEVAL_STAGE2",
        "SCRIPT_EXEC_DENIED",
        "SCRIPT_EXEC_DONE",
        "SCRIPT_EXEC_START",
        "SKILL_RETRIEVAL",
        "SKILL_STORED",
        "WORKING_MEMORY_COMPRESSED",
    }
)


def does_something(path: Path) -> bool:
    """Whether a module has a function with a body; ports and plain values have none."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = [s for s in node.body if not isinstance(getattr(s, "value", None), ast.Constant)]
            if body:
                return True
    return False


def is_test_of(test: Path, module: Path, unique: bool) -> bool:
    """Whether a test file is a module's own; both paths are below tests/ and rony_desktop/.

    test_store_session.py may lie anywhere; test_session.py in unit/store, or for the one module of
    that name anywhere.
    """
    folder, stem = module.parent.parts, module.stem.strip("_")
    if folder and test.name == f"test_{folder[-1]}_{stem}.py":
        return True
    places = {folder, ("ui", *folder)} if test.parts[0] == "ui" else {folder}
    beside = test.parent.parts in places or test.parent.parts[1:] == folder
    return test.name == f"test_{stem}.py" and (unique or beside)


def untested(root: Path, modules: tuple[Path, ...]) -> set[str]:
    """Modules that do something and have no test file of their own."""
    tests = [path.relative_to(root / "tests") for path in (root / "tests").rglob("test_*.py")]
    names = [path.relative_to(root / "rony_desktop") for path in modules]
    stems = Counter(name.stem for name in names)
    return {
        name.as_posix()
        for path, name in zip(modules, names, strict=True)
        if does_something(path)
        and not any(is_test_of(test, name, stems[name.stem] == 1) for test in tests)
    }


def silent_tags(modules: tuple[Path, ...]) -> set[str]:
    """Event tags that nothing emits."""
    text = "\n".join(path.read_text("utf-8") for path in modules if path.name != "log.py")
    return {tag.name for tag in EventTag} - set(re.findall(r"\bEventTag\.([A-Z0-9_]+)", text))


def test_every_module_has_its_test_file(root: Path, modules: tuple[Path, ...]) -> None:
    found = untested(root, modules)
    assert found - OWED == set(), "write a test file for each"
    assert set(OWED) - found == set(), "no longer owed: take them off the list"


def test_every_event_tag_is_emitted(modules: tuple[Path, ...]) -> None:
    found = silent_tags(modules)
    assert found - OWED_TAGS == set(), "nothing emits these"
    assert OWED_TAGS - found == set(), "no longer owed: take them off the list"
