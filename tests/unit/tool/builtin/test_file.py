from __future__ import annotations

import errno
import os
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from rony_desktop.contract.approval import FileChange
from rony_desktop.contract.error import (
    SandboxViolationError,
    ToolChangedError,
    ToolDeniedError,
    ToolFileError,
)
from rony_desktop.contract.message import ToolResult
from rony_desktop.contract.tool import Permission
from rony_desktop.contract.tool_spec import ToolContext, ToolSpec
from rony_desktop.tool.builtin.page import room_of
from rony_desktop.tool.sandbox.root import Root

LIMIT = 6144
OUTSIDE = ["../secret.txt", "a/../../secret.txt", "/etc/passwd", "", "out.txt", "out/secret.txt"]

Run = Callable[..., Awaitable[ToolResult]]
Show = Callable[..., Awaitable[FileChange]]
Write = Callable[[FileChange], Awaitable[ToolResult]]


@pytest.fixture(autouse=True)
def links_outside(workspace: Path) -> None:
    (workspace / "out.txt").symlink_to("../secret.txt")
    (workspace / "out").symlink_to("..")


async def test_read_gives_the_text_as_an_edit_needs_it(workspace: Path, run: Run) -> None:
    (workspace / "a.txt").write_bytes(b"\xef\xbb\xbfone\r\n\ttwo\nlast")
    assert (await run("read_file", path="a.txt")).content == "[lines 1-3 of 3]\none\r\n\ttwo\nlast"
    (workspace / "none").touch()
    assert (await run("read_file", path="none")).content == "[empty]"


async def test_a_line_of_5_mb_is_read_in_pages(workspace: Path, run: Run) -> None:
    text = "".join(f"{number:x}," for number in range(800_000))
    (workspace / "line").write_text(text + "\nsecond\n")
    read, column = "", 1
    for _ in range(3):
        content = (await run("read_file", path="line", column=column)).content
        assert len(content.encode()) < LIMIT
        head, _, body = content.partition("\n")
        read += body
        found = re.search(r"offset 1, column (\d+)\]", head)
        assert found
        column = int(found[1])
    assert text.startswith(read)
    assert len(read) == 3 * room_of(LIMIT)
    rest = await run("read_file", path="line", column=len(text) - 1)
    assert rest.content.endswith(text[-2:] + "\nsecond\n")


@pytest.mark.parametrize("path", OUTSIDE)
@pytest.mark.parametrize("name", ["read_file", "list_files"])
async def test_nothing_outside_is_read(run: Run, name: str, path: str) -> None:
    with pytest.raises(SandboxViolationError):
        await run(name, path=path)


@pytest.mark.parametrize("path", OUTSIDE)
async def test_nothing_outside_is_written(
    workspace: Path, run: Run, write: Write, path: str
) -> None:
    with pytest.raises(SandboxViolationError):
        await run("write_file", path=path, content="x")
    with pytest.raises((SandboxViolationError, ToolChangedError)):
        await write(FileChange(path, None, "x"))
    with pytest.raises((SandboxViolationError, ToolChangedError)):
        await write(FileChange(path, "secret\n", "x"))
    assert (workspace.parent / "secret.txt").read_text() == "secret\n"


async def test_a_fifo_or_device_never_hangs(workspace: Path, run: Run) -> None:
    os.mkfifo(workspace / "pipe")
    with pytest.raises(SandboxViolationError):
        await run("read_file", path="pipe")
    with pytest.raises(SandboxViolationError):
        await run("write_file", path="pipe", content="x")
    assert "pipe (not a file)" in (await run("list_files")).content


async def test_a_file_over_the_cap_is_refused(workspace: Path, run: Run) -> None:
    with (workspace / "big").open("wb") as file:
        file.truncate(100 * 1024 * 1024)
    with pytest.raises((SandboxViolationError, ToolFileError)):
        await run("read_file", path="big")
    with pytest.raises(ToolFileError, match="4 MiB"):
        await run("write_file", path="big", content="x")


@pytest.mark.parametrize(
    ("path", "why"), [("none", "no such file"), ("folder", "folder"), ("file/x", "folder")]
)
@pytest.mark.parametrize("name", ["read_file", "list_files"])
async def test_a_wrong_path_says_what_is_there(
    workspace: Path, run: Run, name: str, path: str, why: str
) -> None:
    (workspace / "folder").mkdir()
    (workspace / "file").write_text("x")
    if (name, path) == ("list_files", "folder"):
        assert (await run(name, path=path)).content == "[empty folder]"
        return
    with pytest.raises(ToolFileError, match=f"{path}: .*{why}"):
        await run(name, path=path)


async def test_list_is_sorted_with_kinds_and_sizes(workspace: Path, run: Run) -> None:
    for name in ("b.txt", "Übung", "a\nb"):
        (workspace / "d" / name).parent.mkdir(exist_ok=True)
        (workspace / "d" / name).write_text("12345")
    (workspace / "d" / "sub").mkdir()
    (workspace / "d" / "gone").symlink_to("nowhere")
    (workspace / "d" / "to-secret").symlink_to("../../secret.txt")
    expected = [
        '"a\\nb" 5',
        "b.txt 5",
        "gone (cannot be opened)",
        "sub/",
        "to-secret (cannot be opened)",
        "Übung 5",
    ]
    assert (await run("list_files", path="d")).content.split("\n") == expected
    assert (await run("list_files", path=str(workspace / "d"))).content.split("\n") == expected
    assert "d/" in (await run("list_files")).content.split("\n")


async def test_a_long_list_is_cut_with_a_count(workspace: Path, run: Run) -> None:
    (workspace / "many").mkdir()
    for number in range(1000):
        (workspace / "many" / f"file-{number:04}").touch()
    content = (await run("list_files", path="many")).content
    lines = content.split("\n")
    assert len(content.encode()) < LIMIT
    assert lines[0] == "file-0000 0"
    assert lines[-1] == f"[{1000 - len(lines) + 1} more]"


async def test_a_folder_too_full_to_list_says_so(workspace: Path, run: Run) -> None:
    (workspace / "many").mkdir()
    for number in range(10_001):
        (workspace / "many" / str(number)).touch()
    with pytest.raises(SandboxViolationError, match="10000"):
        await run("list_files", path="many")
    assert "1 folders that cannot be listed" in (await run("search_files", pattern="x")).content


async def test_write_shows_then_writes_exactly_what_was_shown(
    workspace: Path, show: Show, write: Write
) -> None:
    (workspace / "a.txt").write_text("one\ntwo\n")
    change = await show("write_file", path="./a.txt", content="one\n2\n")
    assert (change.path, change.before, change.after) == ("a.txt", "one\ntwo\n", "one\n2\n")
    assert [(hunk.before, hunk.after) for hunk in change.hunks] == [(("two\n",), ("2\n",))]
    assert (workspace / "a.txt").read_text() == "one\ntwo\n"
    result = await write(change)
    assert result == ToolResult("wrote 2 lines to a.txt")
    assert (workspace / "a.txt").read_bytes() == b"one\n2\n"


async def test_a_new_file_gets_its_folders(workspace: Path, run: Run, show: Show) -> None:
    (workspace / "a").mkdir()
    change = await show("write_file", path="a/b/c/Übung.txt", content="ä")
    assert (change.path, change.before) == ("a/b/c/Übung.txt", None)
    assert not (workspace / "a/b").exists()
    result = await run("write_file", path="a/b/c/Übung.txt", content="ä")
    assert result.content == "wrote 1 line to a/b/c/Übung.txt"
    assert (workspace / "a/b/c/Übung.txt").read_bytes() == "ä".encode()
    await run("write_file", path="empty", content="")
    assert (workspace / "empty").read_bytes() == b""


async def test_line_ends_and_mark_of_the_file_are_kept(workspace: Path, run: Run) -> None:
    (workspace / "dos").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    await run("write_file", path="dos", content="1\n2\r\n")
    assert (workspace / "dos").read_bytes() == b"\xef\xbb\xbf1\r\n2\r\n"


@pytest.mark.parametrize("now", [b"other", b"", None, b"one\r\n", b"\xff", "folder"], ids=repr)
async def test_a_file_changed_since_it_was_shown_is_left(
    workspace: Path, show: Show, write: Write, now: bytes | str | None
) -> None:
    file = workspace / "a.txt"
    file.write_text("one\n")
    change = await show("write_file", path="a.txt", content="two\n")
    file.unlink()
    if isinstance(now, bytes):
        file.write_bytes(now)
    elif now:
        file.mkdir()
    with pytest.raises(ToolChangedError):
        await write(change)
    assert (file.read_bytes() if file.is_file() else None) == (
        now if isinstance(now, bytes) else None
    )


async def test_a_file_that_came_since_is_left(workspace: Path, show: Show, write: Write) -> None:
    change = await show("write_file", path="new", content="mine")
    (workspace / "new").write_text("theirs")
    with pytest.raises(ToolChangedError):
        await write(change)
    assert (workspace / "new").read_text() == "theirs"


@pytest.mark.parametrize("before", ["same\n", None])
async def test_a_link_that_came_since_leads_nowhere(
    workspace: Path, show: Show, write: Write, before: str | None
) -> None:
    """The bytes shown for one name never reach another, even with the same content."""
    if before:
        (workspace / "notes").write_text(before)
        (workspace / "AGENTS.md").write_text(before)
    change = await show("write_file", path="notes", content="new\n")
    (workspace / "notes").unlink(missing_ok=True)
    (workspace / "notes").symlink_to("AGENTS.md")
    with pytest.raises(ToolChangedError):
        await write(change)
    now = workspace / "AGENTS.md"
    assert (now.read_text() if now.exists() else None) == before


async def test_a_link_is_shown_by_what_it_names(workspace: Path, run: Run, show: Show) -> None:
    (workspace / "real").write_text("a")
    (workspace / "link").symlink_to("real")
    assert (await show("write_file", path="link", content="b")).path == "real"
    assert (await run("write_file", path="link", content="b")).content == "wrote 1 line to link"
    assert (workspace / "link").is_symlink()
    assert (workspace / "real").read_text() == "b"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("same", "nothing would change"),
        ("a\0b", "NUL"),
        ("a\ud800", "not valid Unicode"),
        ("x" * (4 * 1024 * 1024 + 1), "4 MiB"),
    ],
)
async def test_what_cannot_be_written_is_refused_before_the_user_is_asked(
    workspace: Path, show: Show, content: str, why: str
) -> None:
    (workspace / "f").write_text("same")
    with pytest.raises(ToolFileError, match=why):
        await show("write_file", path="f", content=content)


@pytest.mark.parametrize(("path", "why"), [("d", "is a folder"), ("f/x", "folder is needed")])
async def test_what_is_in_the_way_is_told(workspace: Path, show: Show, path: str, why: str) -> None:
    (workspace / "d").mkdir()
    (workspace / "f").touch()
    with pytest.raises(ToolFileError, match=why):
        await show("write_file", path=path, content="x")


async def test_a_binary_is_not_replaced_by_text(workspace: Path, show: Show) -> None:
    (workspace / "f").write_bytes(b"\0\1")
    with pytest.raises(ToolFileError, match="binary"):
        await show("write_file", path="f", content="x")


async def test_four_mib_are_written(workspace: Path, run: Run) -> None:
    content = "x" * 1023 + "\n"
    await run("write_file", path="f", content=content * 4096)
    assert (workspace / "f").read_text() == content * 4096


async def test_what_was_not_shown_is_not_written(
    workspace: Path, tools: dict[str, ToolSpec], context_of: Callable[..., ToolContext]
) -> None:
    arguments = {"path": "f", "content": "x"}
    with pytest.raises(ToolDeniedError):
        await tools["write_file"].execute(context_of("write_file", arguments), arguments)
    assert not (workspace / "f").exists()


async def test_a_folder_that_is_read_only_is_told(
    show: Show, write: Write, sandbox: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str, data: bytes) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    # Raised by hand: the tests may run as root, who may write everywhere.
    monkeypatch.setattr(sandbox, "write_bytes", refuse)
    change = await show("write_file", path="f", content="x")
    with pytest.raises(ToolFileError, match="f: the system does not allow it"):
        await write(change)


def test_what_changes_asks_and_what_reads_does_not(tools: dict[str, ToolSpec]) -> None:
    asks = {name for name, spec in tools.items() if spec.permission is Permission.ASK}
    assert asks == {"write_file", "edit_file"}
    assert all((spec.preview is not None) == (name in asks) for name, spec in tools.items())


def test_schemas_are_flat_and_small(tools: dict[str, ToolSpec]) -> None:
    for spec in tools.values():
        assert spec.parameters["type"] == "object"
        assert spec.parameters["additionalProperties"] is False
        assert set(spec.required) <= set(spec.parameters["properties"])
        assert set(spec.paths) <= set(spec.parameters["properties"])
        for argument in spec.parameters["properties"].values():
            assert set(argument) <= {"type", "description"}
        assert len(spec.description) <= 80
        for example in spec.examples:
            Draft202012Validator(spec.parameters).validate(example.arguments)
