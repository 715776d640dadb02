from __future__ import annotations

import asyncio
import errno
import os
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from rony_desktop.contract.error import SandboxViolationError, ToolFileError
from rony_desktop.contract.message import ToolResult
from rony_desktop.contract.tool_spec import ToolContext, ToolSpec
from rony_desktop.tool.builtin import search
from rony_desktop.tool.sandbox.root import Root

LIMIT = 6144
Run = Callable[..., Awaitable[ToolResult]]


@pytest.fixture(autouse=True)
def tree(workspace: Path) -> None:
    files = {
        "a.py": "import os\nneedle = 1\n",
        "b.txt": "no\nthe Needle\n",
        "sub/c.py": "x\r\nneedle\r\n",
        "sub/deep/d.md": "needle",
        ".git/config": "needle",
        ".GIT/config": "needle",
        "Ünï/é.txt": "needle",
    }
    for name, text in files.items():
        (workspace / name).parent.mkdir(parents=True, exist_ok=True)
        (workspace / name).write_bytes(text.encode())


async def found(run: Run, **arguments: Any) -> list[str]:
    content = (await run("search_files", **arguments)).content
    assert len(content.encode()) < LIMIT
    return content.split("\n")


async def test_hits_have_path_line_and_text(run: Run) -> None:
    assert await found(run, pattern="needle") == [
        "a.py:2: needle = 1",
        "sub/c.py:2: needle",
        "sub/deep/d.md:1: needle",
        "Ünï/é.txt:1: needle",
        "[4 hits; 5 files searched]",
    ]


async def test_nothing_found_says_how_much_was_searched(run: Run) -> None:
    assert await found(run, pattern="missing") == ["[nothing found; 5 files searched]"]


@pytest.mark.parametrize(
    ("path", "files"), [("sub", 2), ("sub/deep", 1), ("a.py", 1), ("./sub/../sub", 2)]
)
async def test_a_path_narrows(run: Run, path: str, files: int) -> None:
    assert (await found(run, pattern="needle", path=path))[-1] == (
        f"[{files} hit{'s' * (files > 1)}; {files} file{'s' * (files != 1)} searched]"
    )


async def test_an_absolute_path_inside_is_taken(workspace: Path, run: Run) -> None:
    lines = await found(run, pattern="needle", path=str(workspace / "sub"))
    assert lines[0] == "sub/c.py:2: needle"


@pytest.mark.parametrize(
    ("glob", "paths"),
    [
        ("*.py", ["a.py", "sub/c.py"]),
        ("**/*.py", ["a.py", "sub/c.py"]),
        ("sub/*.md", ["sub/deep/d.md"]),
        ("./sub/*.py", ["sub/c.py"]),
        ("é*", ["Ünï/é.txt"]),
        ("[", []),
        ("*" * 100 + "x", []),
    ],
)
async def test_a_glob_narrows(run: Run, glob: str, paths: list[str]) -> None:
    lines = await found(run, pattern="needle", glob=glob)
    assert [line.partition(":")[0] for line in lines[:-1]] == paths


@pytest.mark.parametrize("path", ["..", "../secret.txt", "/etc", "out"])
async def test_nothing_outside_is_searched(workspace: Path, run: Run, path: str) -> None:
    (workspace / "out").symlink_to("..")
    with pytest.raises(SandboxViolationError):
        await run("search_files", pattern="secret", path=path)


async def test_links_to_folders_are_not_followed(workspace: Path, run: Run) -> None:
    (workspace / "out").symlink_to("..")
    (workspace / "secret").symlink_to("../secret.txt")
    (workspace / "sub" / "circle").symlink_to("..")
    (workspace / "again").symlink_to("sub")
    (workspace / "gone").symlink_to("nowhere")
    lines = await found(run, pattern="needle|secret")
    assert len(lines) == 5
    assert lines[-1].startswith("[4 hits; 5 files searched")
    assert "skipped" in lines[-1]


async def test_what_is_no_text_is_skipped_and_told(workspace: Path, run: Run) -> None:
    os.mkfifo(workspace / "sub" / "pipe")
    (workspace / "sub" / "binary").write_bytes(b"needle\0")
    (workspace / "sub" / "latin").write_bytes("schön needle\n".encode("latin-1"))
    with (workspace / "sub" / "big").open("wb") as file:
        file.write(b"needle\n")
        file.truncate(100 * 1024 * 1024)
    lines = await found(run, pattern="needle", path="sub")
    assert "sub/latin:1: sch\ufffdn needle" in lines
    assert "1 binary skipped" in lines[-1]
    assert "1 above 2 MiB skipped" in lines[-1]
    assert not any("pipe" in line for line in lines)


async def test_a_missing_path_is_told(run: Run) -> None:
    with pytest.raises(ToolFileError, match="no such file"):
        await run("search_files", pattern="x", path="none")


async def test_a_pattern_that_cannot_be_read_is_searched_as_text(workspace: Path, run: Run) -> None:
    (workspace / "a.py").write_text("call(needle\n")
    lines = await found(run, pattern="call(needle")
    assert lines[0] == "a.py:1: call(needle"
    assert "searched for the text itself" in lines[-1]


async def test_many_hits_are_cut(workspace: Path, run: Run) -> None:
    (workspace / "many").write_text("hit\n" * 10_000)
    lines = await found(run, pattern="hit")
    assert lines[-1].startswith("[100 hits; only the first 100 are here")
    (workspace / "many").write_text(("hit" + "x" * 500 + "\n") * 1000)
    lines = await found(run, pattern="hit")
    assert "only the first" in lines[-1]
    assert len(lines) < 40


async def test_files_beyond_the_most_are_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MAX_FILES", 2)
    lines = await found(run, pattern="needle")
    assert "2 files searched; there are more files" in lines[-1]


async def test_time_ends_it_with_what_was_found(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MAX_SECONDS", 0.0)
    assert await found(run, pattern="needle") == [
        "[nothing found; 0 files searched; stopped after 0 s; name a path or a glob]"
    ]


async def test_a_folder_that_cannot_be_listed_is_told(
    run: Run, sandbox: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = sandbox.list

    def refuse(path: str) -> Any:
        if path == "sub":
            raise PermissionError(13, "Permission denied")
        return whole(path)

    monkeypatch.setattr(sandbox, "list", refuse)
    lines = await found(run, pattern="needle")
    assert "1 folders that cannot be listed skipped" in lines[-1]


async def test_a_file_that_goes_while_it_is_searched_is_told(
    run: Run, sandbox: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = sandbox.read_bytes

    def gone(path: str) -> bytes:
        if path == "a.py":
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", path)
        return whole(path)

    monkeypatch.setattr(sandbox, "read_bytes", gone)
    lines = await found(run, pattern="needle")
    assert lines[0] == "sub/c.py:2: needle"
    assert "1 that cannot be read skipped" in lines[-1]


async def test_a_cancelled_search_stops_its_thread(
    workspace: Path,
    tools: dict[str, ToolSpec],
    sandbox: Root,
    monkeypatch: pytest.MonkeyPatch,
    context_of: Callable[..., ToolContext],
) -> None:
    """Reads block until the call is cancelled; then no further file is opened."""
    loop, started, reads = asyncio.get_running_loop(), asyncio.Event(), []
    go_on, done = threading.Event(), asyncio.Event()
    whole, run = sandbox.read_bytes, search._Search.run

    def slow(path: str) -> bytes:
        reads.append(path)
        loop.call_soon_threadsafe(started.set)
        assert go_on.wait(10)
        return whole(path)

    def ran(self: Any, *args: str) -> None:
        try:
            run(self, *args)
        finally:
            loop.call_soon_threadsafe(done.set)

    monkeypatch.setattr(sandbox, "read_bytes", slow)
    monkeypatch.setattr(search._Search, "run", ran)
    arguments = {"pattern": "needle"}
    task = asyncio.create_task(
        tools["search_files"].execute(context_of("search_files", arguments), arguments)
    )
    await asyncio.wait_for(started.wait(), 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    go_on.set()
    await asyncio.wait_for(done.wait(), 10)
    assert len(reads) == 1


@pytest.mark.slow
async def test_100_000_files_end_in_time(workspace: Path, run: Run) -> None:
    for folder in range(100):
        (workspace / "many" / str(folder)).mkdir(parents=True)
        for number in range(1000):
            (workspace / "many" / str(folder) / str(number)).touch()
    lines = await found(run, pattern="needle", path="many")
    assert "there are more files" in lines[-1] or "stopped after 10 s" in lines[-1]
    lines = (await run("list_files", path="many/5")).content.split("\n")
    assert lines[-1].endswith("more]")
