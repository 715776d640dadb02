"""Files, functions and lines stay small enough to be read."""

from __future__ import annotations

import ast
from pathlib import Path

FILE_LINES = 400
FUNCTION_LINES = 50
LINE_CHARACTERS = 100


def test_files_stay_short(root: Path, sources: tuple[Path, ...]) -> None:
    assert sources
    counts = {
        path.relative_to(root).as_posix(): len(path.read_text("utf-8").splitlines())
        for path in sources
    }
    assert {n: c for n, c in counts.items() if c > FILE_LINES} == {}


def test_functions_stay_short(root: Path, modules: tuple[Path, ...]) -> None:
    long = []
    for path in modules:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > FUNCTION_LINES:
                    long.append(f"{path.relative_to(root)}:{node.lineno} {node.name} ({lines})")
    assert not long


def test_lines_of_scripts_stay_short(root: Path, files: tuple[Path, ...]) -> None:
    # ruff's E501 watches Python.
    long = [
        f"{path.relative_to(root)}:{number}"
        for path in files
        if path.suffix == ".sh" or path.name in {"Makefile", "run"}
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if len(line) > LINE_CHARACTERS
    ]
    assert not long


def test_every_module_says_what_it_is_for(root: Path) -> None:
    silent = [
        str(path.relative_to(root))
        for folder in ("rony_desktop", "resources", "scripts")
        for path in sorted((root / folder).rglob("*.py"))
        if ast.get_docstring(ast.parse(path.read_text("utf-8"))) is None
    ]
    assert not silent
