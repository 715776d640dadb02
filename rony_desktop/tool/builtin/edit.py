"""One place of a file of the chosen folder, replaced."""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from rony_desktop.contract.approval import FileChange
from rony_desktop.contract.error import ToolFileError
from rony_desktop.contract.port import Sandbox
from rony_desktop.contract.tool_spec import ToolContext, ToolSpec
from rony_desktop.tool.builtin.change import change_of, existing, fits, in_style, write_allowed
from rony_desktop.tool.builtin.parameter import TEXT, parameters
from rony_desktop.tool.builtin.text import box

_PLACES = 5  # of an ambiguous text, told by line
# The search for the nearest lines is for a typing error in an ordinary file, not for a big one.
_NEAR_LINES = 1000
_NEAR_CHARS = 120


def edit_tools() -> tuple[ToolSpec, ...]:
    """edit_file."""
    return (
        ToolSpec(
            "edit_file",
            "Replace old, which must be in the file exactly once, by new.",
            parameters(
                {
                    "path": TEXT,
                    "old": TEXT,
                    "new": TEXT,
                    "all": {"type": "boolean", "description": "replace every place"},
                },
                "path",
                "old",
                "new",
            ),
            write_allowed,
            paths=("path",),
            preview=_preview,
            external=False,
        ),
    )


async def _preview(context: ToolContext, arguments: Mapping[str, Any]) -> FileChange:
    return await asyncio.to_thread(_edited, box(context), arguments)


def _edited(sandbox: Sandbox, arguments: Mapping[str, Any]) -> FileChange:
    path = arguments["path"]
    before = existing(sandbox, path)
    if before is None:
        raise ToolFileError(path=path, detail="there is no such file; write_file makes one")
    old, new = in_style(before, arguments["old"]), in_style(before, arguments["new"])
    if not old:
        raise ToolFileError(path=path, detail="old is empty; write_file replaces a whole file")
    lines = [before.count("\n", 0, at) + 1 for at in islice(_places(before, old), _PLACES)]
    if not lines:
        raise ToolFileError(path=path, detail=f"old was not found{_nearest(before, old)}")
    count = max(before.count(old), len(lines))
    if count > 1 and not arguments.get("all", False):
        where = ", ".join(map(str, lines)) + (", ..." if count > len(lines) else "")
        detail = f"old was found {count} times (lines {where}); give more of the lines, or all=true"
        raise ToolFileError(path=path, detail=detail)
    fits(path, len(before) + before.count(old) * (len(new) - len(old)))
    return change_of(sandbox, path, before, before.replace(old, new))


def _places(text: str, old: str) -> Iterator[int]:
    at = text.find(old)
    while at >= 0:
        yield at
        at = text.find(old, at + 1)


def _nearest(text: str, old: str) -> str:
    first = next((line.strip() for line in old.split("\n") if line.strip()), "")[:_NEAR_CHARS]
    numbers: dict[str, int] = {}
    for number, line in enumerate(text.split("\n", _NEAR_LINES)[:_NEAR_LINES], 1):
        numbers.setdefault(line.strip()[:_NEAR_CHARS], number)
    near = difflib.get_close_matches(first, numbers, n=2) if first else []
    # By number only: an error is not marked as words of others, and the lines are.
    told = " or ".join(str(numbers[line]) for line in near)
    return f"; read it again, nearest is line {told}" if told else ""
