from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.contract.error import ToolFileError
from rony_desktop.tool.builtin.change import (
    MAX_BYTES,
    change_of,
    existing,
    fits,
    in_style,
    with_mark,
)
from rony_desktop.tool.sandbox.root import Root


def test_existing_tells_a_missing_file_from_one_that_cannot_be_changed(
    workspace: Path, sandbox: Root
) -> None:
    (workspace / "f").write_bytes(b"a\r\n")
    assert existing(sandbox, "f") == "a\r\n"
    assert existing(sandbox, "none") is None
    assert existing(sandbox, "no/folder/none") is None
    with pytest.raises(ToolFileError, match="folder is needed"):
        existing(sandbox, "f/none")


def test_the_limit_is_what_can_be_shown() -> None:
    fits("f", MAX_BYTES)
    with pytest.raises(ToolFileError):
        fits("f", MAX_BYTES + 1)


@pytest.mark.parametrize(
    ("before", "text", "expected"),
    [
        (None, "a\n", "a\n"),
        ("", "a\n", "a\n"),
        ("x\n", "a\n", "a\n"),
        ("x\r\n", "a\nb\r\n", "a\r\nb\r\n"),
        ("x\r\ny\n", "a\n", "a\n"),
        ("x", "a\n", "a\n"),
    ],
)
def test_line_ends_follow_a_file_that_has_only_one_kind(
    before: str | None, text: str, expected: str
) -> None:
    assert in_style(before, text) == expected


def test_a_byte_order_mark_stays() -> None:
    assert with_mark("\ufeffa", "b") == "\ufeffb"
    assert with_mark("\ufeffa", "\ufeffb") == "\ufeffb"
    assert with_mark("a", "b") == "b"
    assert with_mark(None, "b") == "b"


def test_a_change_names_the_file_as_the_folder_does(workspace: Path, sandbox: Root) -> None:
    (workspace / "d").mkdir()
    (workspace / "link").symlink_to("d")
    assert change_of(sandbox, "link/../link/new", None, "x").path.endswith("new")
    assert change_of(sandbox, str(workspace / "link" / "new"), None, "x").path == "d/new"
