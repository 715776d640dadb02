"""Text searched for in the files of the chosen folder."""

from __future__ import annotations

import asyncio
import fnmatch
import stat
import threading
import time
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from typing import Any

from rony_desktop.contract.message import ToolResult
from rony_desktop.contract.port import Sandbox
from rony_desktop.contract.tool import Permission
from rony_desktop.contract.tool_spec import ToolContext, ToolSpec
from rony_desktop.tool.builtin.found import Found
from rony_desktop.tool.builtin.page import room_of
from rony_desktop.tool.builtin.parameter import TEXT, parameters
from rony_desktop.tool.builtin.pattern import Pattern
from rony_desktop.tool.builtin.text import box, file_errors, shown

MAX_SECONDS = 10.0
MAX_FILES = 20_000
MAX_FILE_BYTES = 2 * 1024 * 1024


def search_tools(inline_limit: int) -> tuple[ToolSpec, ...]:
    """search_files; results stay below inline_limit bytes."""
    room = room_of(inline_limit)

    async def search(context: ToolContext, arguments: Mapping[str, Any]) -> ToolResult:
        sandbox, stopped = box(context), threading.Event()
        try:
            return await asyncio.to_thread(_search, sandbox, arguments, room, stopped)
        finally:
            stopped.set()

    return (
        ToolSpec(
            "search_files",
            "Search the folder's text files for a regular expression.",
            parameters(
                {
                    "pattern": TEXT,
                    "path": TEXT,
                    "glob": {"type": "string", "description": "names to search, as *.py"},
                },
                "pattern",
            ),
            search,
            Permission.ALLOW,
            ("path",),
            inline=True,
        ),
    )


def _search(
    sandbox: Sandbox, arguments: Mapping[str, Any], room: int, stopped: threading.Event
) -> ToolResult:
    search = _Search(sandbox, Pattern(arguments["pattern"]), Found(room), stopped)
    path = arguments.get("path", ".")
    with file_errors(path):
        base = sandbox.relative(path)
        search.run(base, arguments.get("glob", ""))
    return ToolResult(search.text())


class _Search:
    def __init__(
        self, sandbox: Sandbox, pattern: Pattern, found: Found, stopped: threading.Event
    ) -> None:
        self._sandbox = sandbox
        self._pattern = pattern
        self._found = found
        self._stopped = stopped
        self._until = time.monotonic() + MAX_SECONDS
        self._skipped: Counter[str] = Counter()
        self._files = 0

    def run(self, base: str, glob: str) -> None:
        for path, size in self._tree(base):
            if self._is_over() or self._files == MAX_FILES:
                return
            if glob and not _matches(path, glob):
                continue
            self._files += 1
            self._look_into(path, size)

    def text(self) -> str:
        notes = self._found.notes
        notes += [self._pattern.note, f"{self._files} file{'s' * (self._files != 1)} searched"]
        notes += [f"{count} {why} skipped" for why, count in self._skipped.items()]
        if self._files == MAX_FILES:
            notes.append("there are more files; name a path or a glob")
        if self._is_late():
            notes.append(f"stopped after {MAX_SECONDS:g} s; name a path or a glob")
        return self._found.text()

    def _is_late(self) -> bool:
        return time.monotonic() >= self._until

    def _is_over(self) -> bool:
        return self._found.full or self._stopped.is_set() or self._is_late()

    def _tree(self, base: str) -> Iterator[tuple[str, int]]:
        info = self._sandbox.stat(base)
        if not stat.S_ISDIR(info.st_mode):
            yield base, info.st_size
            return
        pending = [base]
        while pending and not self._is_over():
            pending += reversed((yield from self._folder(pending.pop())))

    def _folder(self, folder: str) -> Generator[tuple[str, int], None, list[str]]:
        """Yield the files of a folder and return its folders."""
        folders: list[str] = []
        try:
            names = sorted(self._sandbox.list(folder))
        except OSError:
            self._skipped["folders that cannot be listed"] += 1
            return folders
        for name in names:
            path = name if folder == "." else f"{folder}/{name}"
            try:
                info = self._sandbox.stat(path)
                # A folder under another name than its own is a link: it could lead in a circle.
                if stat.S_ISDIR(info.st_mode):
                    if name.casefold() != ".git" and self._sandbox.relative(path) == path:
                        folders.append(path)
                elif stat.S_ISREG(info.st_mode):
                    yield path, info.st_size
            except OSError:
                self._skipped["that cannot be read"] += 1
        return folders

    def _look_into(self, path: str, size: int) -> None:
        if size > MAX_FILE_BYTES:
            self._skipped[f"above {MAX_FILE_BYTES >> 20} MiB"] += 1
            return
        try:
            data = self._sandbox.read_bytes(path)
        except OSError:
            self._skipped["that cannot be read"] += 1
            return
        if b"\0" in data:
            self._skipped["binary"] += 1
            return
        for hit in self._pattern.hits(data):
            if hit:
                self._found.add(f"{shown(path)}:{hit.line}: {hit.text}")
            if self._is_over():
                return


def _matches(path: str, glob: str) -> bool:
    glob = glob.removeprefix("./").removeprefix("**/")
    return fnmatch.fnmatchcase(path if "/" in glob else path.rpartition("/")[2], glob)
