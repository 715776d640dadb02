"""Files of the chosen folder: read, listed, written whole."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import Mapping
from typing import Any

from rony_desktop.contract.approval import FileChange
from rony_desktop.contract.message import ToolResult
from rony_desktop.contract.port import Sandbox
from rony_desktop.contract.tool import Permission, ToolExample
from rony_desktop.contract.tool_spec import ToolContext, ToolSpec
from rony_desktop.tool.builtin.change import change_of, existing, in_style, with_mark, write_allowed
from rony_desktop.tool.builtin.page import PLACE, Place, page, room_of
from rony_desktop.tool.builtin.parameter import TEXT, parameters
from rony_desktop.tool.builtin.text import BOM, box, file_errors, read_text, shown

_READ_EXAMPLE = ToolExample("What is in notes.txt?", {"path": "notes.txt"}, "Buy milk.")
_WRITE_EXAMPLE = ToolExample(
    "Write hello into hello.txt.",
    {"path": "hello.txt", "content": "hello\n"},
    "wrote 1 line to hello.txt",
)


def file_tools(inline_limit: int) -> tuple[ToolSpec, ...]:
    """read_file, list_files and write_file; results stay below inline_limit bytes."""
    room = room_of(inline_limit)

    async def read(context: ToolContext, arguments: Mapping[str, Any]) -> ToolResult:
        place = Place.of(arguments)
        return await asyncio.to_thread(_read, box(context), arguments["path"], place, room)

    async def list_(context: ToolContext, arguments: Mapping[str, Any]) -> ToolResult:
        return await asyncio.to_thread(_list, box(context), arguments.get("path", "."), room)

    return (
        ToolSpec(
            "read_file",
            "Read a text file of the folder.",
            parameters({"path": TEXT, **PLACE}, "path"),
            read,
            Permission.ALLOW,
            ("path",),
            examples=(_READ_EXAMPLE,),
            inline=True,
        ),
        ToolSpec(
            "list_files",
            "List a folder.",
            parameters({"path": TEXT}),
            list_,
            Permission.ALLOW,
            ("path",),
            inline=True,
        ),
        ToolSpec(
            "write_file",
            "Write a whole text file, new or replaced.",
            parameters({"path": TEXT, "content": TEXT}, "path", "content"),
            write_allowed,
            paths=("path",),
            preview=_preview,
            examples=(_WRITE_EXAMPLE,),
            external=False,
        ),
    )


def _read(sandbox: Sandbox, path: str, place: Place, room: int) -> ToolResult:
    return ToolResult(page(read_text(sandbox, path).removeprefix(BOM), place, room))


def _list(sandbox: Sandbox, path: str, room: int) -> ToolResult:
    with file_errors(path):
        folder = sandbox.relative(path)
        names = sorted(sandbox.list(folder))
    lines: list[str] = []
    for done, name in enumerate(names):
        line = _row(sandbox, folder, name)
        room -= len(line.encode()) + 1
        if room < 0:
            lines.append(f"[{len(names) - done} more]")
            break
        lines.append(line)
    return ToolResult("\n".join(lines) or "[empty folder]")


def _row(sandbox: Sandbox, folder: str, name: str) -> str:
    try:
        info = sandbox.stat(f"{folder}/{name}")
    except OSError:
        return f"{shown(name)} (cannot be opened)"
    if stat.S_ISDIR(info.st_mode):
        return f"{shown(name)}/"
    if stat.S_ISREG(info.st_mode):
        return f"{shown(name)} {info.st_size}"
    return f"{shown(name)} (not a file)"


async def _preview(context: ToolContext, arguments: Mapping[str, Any]) -> FileChange:
    return await asyncio.to_thread(_replaced, box(context), arguments["path"], arguments["content"])


def _replaced(sandbox: Sandbox, path: str, content: str) -> FileChange:
    before = existing(sandbox, path)
    return change_of(sandbox, path, before, with_mark(before, in_style(before, content)))
