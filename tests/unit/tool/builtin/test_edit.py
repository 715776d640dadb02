from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from rony_desktop.contract.approval import FileChange
from rony_desktop.contract.error import SandboxViolationError, ToolChangedError, ToolFileError
from rony_desktop.contract.message import ToolResult

Run = Callable[..., Awaitable[ToolResult]]
Show = Callable[..., Awaitable[FileChange]]
Write = Callable[[FileChange], Awaitable[ToolResult]]


@pytest.fixture
def file(workspace: Path) -> Path:
    path = workspace / "poem.txt"
    path.write_text("roses are red\nviolets are blue\n\n  sugar is sweet\n")
    return path


async def test_the_one_place_is_replaced(file: Path, run: Run) -> None:
    result = await run("edit_file", path="poem.txt", old="are red\nvio", new="are RED\nVio")
    assert result == ToolResult("wrote 4 lines to poem.txt")
    assert file.read_text() == "roses are RED\nViolets are blue\n\n  sugar is sweet\n"


async def test_old_is_no_pattern(workspace: Path, run: Run) -> None:
    (workspace / "f").write_text("a.c abc \\1")
    await run("edit_file", path="f", old="a.c", new="\\1\\g<0>")
    assert (workspace / "f").read_text() == "\\1\\g<0> abc \\1"


async def test_more_than_one_place_is_refused_unless_all_is_meant(file: Path, run: Run) -> None:
    with pytest.raises(ToolFileError, match=r"found 2 times \(lines 1, 2\)"):
        await run("edit_file", path="poem.txt", old=" are ", new=" were ")
    await run("edit_file", path="poem.txt", old=" are ", new=" were ", all=True)
    assert file.read_text().count(" were ") == 2


async def test_many_places_are_counted_and_the_first_told(workspace: Path, run: Run) -> None:
    (workspace / "f").write_text("x\n" * 300_000)
    with pytest.raises(ToolFileError, match=r"300000 times \(lines 1, 2, 3, 4, 5, \.\.\.\)"):
        await run("edit_file", path="f", old="x", new="y")


async def test_places_that_overlap_are_ambiguous(workspace: Path, run: Run) -> None:
    (workspace / "f").write_text("aaa")
    with pytest.raises(ToolFileError, match="found 2 times"):
        await run("edit_file", path="f", old="aa", new="b")


@pytest.mark.parametrize(
    ("old", "nearest"),
    [
        ("roses are blue\n", "line 1"),
        ("\n\nviolets are  blue", "line 2"),
        ("sugar is sweat", "line 4"),
    ],
)
async def test_where_nothing_matches_the_nearest_line_is_told(
    file: Path, run: Run, old: str, nearest: str
) -> None:
    with pytest.raises(ToolFileError, match="old was not found") as caught:
        await run("edit_file", path="poem.txt", old=old, new="x")
    assert f"nearest is {nearest}" in str(caught.value)
    for word in ("red", "violets", "sweet"):
        assert word not in str(caught.value), "errors are not marked as words of others"


async def test_where_nothing_is_near_nothing_is_told(file: Path, run: Run) -> None:
    with pytest.raises(ToolFileError, match=r"old was not found\."):
        await run("edit_file", path="poem.txt", old="0123456789", new="x")
    with pytest.raises(ToolFileError, match=r"old was not found\."):
        await run("edit_file", path="poem.txt", old=" \n \n ", new="x")


async def test_the_nearest_line_of_a_hostile_file_is_not_searched_forever(
    workspace: Path, run: Run
) -> None:
    (workspace / "f").write_text("".join(f"{'ab' * 500}{number}\n" for number in range(4000)))
    started = time.perf_counter()
    with pytest.raises(ToolFileError):
        await run("edit_file", path="f", old="ba" * 2000, new="x")
    assert time.perf_counter() - started < 5


async def test_line_ends_of_the_file_are_kept(workspace: Path, run: Run) -> None:
    (workspace / "dos").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\nthree")
    await run("edit_file", path="dos", old="one\ntwo\n", new="1\n2\n")
    assert (workspace / "dos").read_bytes() == b"\xef\xbb\xbf1\r\n2\r\nthree"
    await run("edit_file", path="dos", old="2\r\nthree", new="2")
    assert (workspace / "dos").read_bytes() == b"\xef\xbb\xbf1\r\n2"


@pytest.mark.parametrize(
    ("path", "old", "new", "why"),
    [
        ("none", "a", "b", "there is no such file; write_file"),
        ("poem.txt", "", "b", "old is empty"),
        ("poem.txt", "red", "red", "nothing would change"),
        (".", "a", "b", "is a folder"),
    ],
)
async def test_what_cannot_be_edited_is_told(
    file: Path, run: Run, path: str, old: str, new: str, why: str
) -> None:
    with pytest.raises(ToolFileError, match=why):
        await run("edit_file", path=path, old=old, new=new)


async def test_a_replacement_that_explodes_is_refused_before_it_is_made(
    workspace: Path, run: Run
) -> None:
    (workspace / "f").write_text("a" * 4_000_000)
    with pytest.raises(ToolFileError, match="4 MiB"):
        await run("edit_file", path="f", old="a", new="b" * 1_000_000, all=True)


async def test_nothing_outside_is_edited(workspace: Path, run: Run) -> None:
    (workspace / "out").symlink_to("../secret.txt")
    for path in ("../secret.txt", "out", "/etc/hosts"):
        with pytest.raises(SandboxViolationError):
            await run("edit_file", path=path, old="secret", new="x")


async def test_a_file_changed_since_it_was_shown_is_left(
    file: Path, show: Show, write: Write
) -> None:
    change = await show("edit_file", path="poem.txt", old="red", new="green")
    file.write_text("roses are red")
    with pytest.raises(ToolChangedError):
        await write(change)
    assert file.read_text() == "roses are red"
