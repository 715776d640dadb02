"""A change of one text file: made to be shown, written as it was allowed."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any

from rony_desktop.contract.approval import FileChange
from rony_desktop.contract.error import ToolChangedError, ToolDeniedError, ToolFileError
from rony_desktop.contract.message import ToolResult
from rony_desktop.contract.port import Sandbox
from rony_desktop.contract.tool_spec import ToolContext
from rony_desktop.tool.builtin.page import line_count
from rony_desktop.tool.builtin.text import BOM, box, file_errors, read_text
from rony_desktop.tool.diff import hunks

# The most a user can be shown and a model can send.
MAX_BYTES = 4 * 1024 * 1024
_BARE_END = re.compile(r"(?<!\r)\n")


def existing(sandbox: Sandbox, path: str) -> str | None:
    """The text of a file to be changed, None where there is none yet. Blocking.

    Raises:
        ToolFileError: it is no UTF-8 text, or too large to be shown.
    """
    try:
        with file_errors(path):
            size = sandbox.stat(sandbox.relative(path)).st_size
    except ToolFileError as error:
        if isinstance(error.__cause__, FileNotFoundError):
            return None
        raise
    fits(path, size)
    return read_text(sandbox, path)


def fits(path: str, size: int) -> None:
    """Refuse what is too large to be shown.

    Raises:
        ToolFileError: more than MAX_BYTES.
    """
    if size > MAX_BYTES:
        raise ToolFileError(path=path, detail=f"more than {MAX_BYTES >> 20} MiB cannot be changed")


def in_style(before: str | None, text: str) -> str:
    """A text with the line ends of the file it goes into, where that has only CRLF."""
    if not before or "\r\n" not in before or _BARE_END.search(before):
        return text
    return _BARE_END.sub("\r\n", text)


def with_mark(before: str | None, text: str) -> str:
    """A whole new text with the byte order mark of the file it replaces."""
    if before and before.startswith(BOM) and not text.startswith(BOM):
        return BOM + text
    return text


def change_of(sandbox: Sandbox, path: str, before: str | None, after: str) -> FileChange:
    """The change to show. Blocking.

    Raises:
        ToolFileError: nothing would change, or the text cannot be kept as UTF-8 text.
    """
    if before == after:
        raise ToolFileError(path=path, detail="nothing would change: the file is so already")
    try:
        fits(path, len(after.encode()))
    except UnicodeEncodeError as error:
        raise ToolFileError(path=path, detail="the new text is not valid Unicode") from error
    if "\0" in after:
        raise ToolFileError(path=path, detail="the new text holds a NUL character")
    return FileChange(sandbox.relative(path), before, after, hunks(before, after))


async def write_allowed(context: ToolContext, arguments: Mapping[str, Any]) -> ToolResult:
    """Write the change the user allowed, byte for byte; the content was only its source.

    Raises:
        ToolDeniedError: nothing was shown, so nothing was allowed.
        ToolChangedError: the file is not what it was when the change was shown.
    """
    if context.change is None:
        raise ToolDeniedError(name=context.call.name, detail="its change was not shown")
    # The path as the model spelled it: what a link leads to may be named by others.
    path = arguments["path"]
    await asyncio.to_thread(_write, box(context), context.change, path)
    count = line_count(context.change.after)
    return ToolResult(f"wrote {count} line{'s' * (count != 1)} to {path}")


def _write(sandbox: Sandbox, change: FileChange, path: str) -> None:
    if not _unchanged(sandbox, change):
        raise ToolChangedError(path=path)
    with file_errors(path):
        if change.before is None:
            _make_parents(sandbox, change.path)
        sandbox.write_bytes(change.path, change.after.encode())


def _unchanged(sandbox: Sandbox, change: FileChange) -> bool:
    # A link put there since would lead the bytes to another file than the one that was shown.
    try:
        now: bytes | None = sandbox.read_bytes(change.path)
    except FileNotFoundError:
        now = None
    except OSError:
        return False
    before = None if change.before is None else change.before.encode()
    return now == before and sandbox.relative(change.path) == change.path


def _make_parents(sandbox: Sandbox, path: str) -> None:
    parts = path.split("/")[:-1]
    for depth in range(1, len(parts) + 1):
        try:
            sandbox.mkdir("/".join(parts[:depth]))
        except FileExistsError:
            continue
