from __future__ import annotations

import os
from pathlib import Path

import pytest

from rony_desktop.contract.error import SandboxViolationError, ToolFileError
from rony_desktop.contract.message import ToolCall
from rony_desktop.contract.session import Session
from rony_desktop.contract.tool_spec import ToolContext
from rony_desktop.tool.builtin.text import box, file_errors, read_text, shown
from rony_desktop.tool.sandbox.root import Root


@pytest.mark.parametrize("text", ["", "a\r\nb", "\ufeffa\n", "ä€𝄞", "a\x1b[0m"])
def test_utf8_is_read_as_it_is(workspace: Path, sandbox: Root, text: str) -> None:
    (workspace / "f").write_bytes(text.encode())
    assert read_text(sandbox, "f") == text
    assert read_text(sandbox, str(workspace / "f")) == text


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\x7fELF\0\1", "is binary"),
        ("hello".encode("utf-16"), "is UTF-16"),
        (b"\xfe\xff\0h", "is UTF-16"),
        ("Grüße".encode("latin-1"), "is not UTF-8 text (byte 2)"),
        (b"\xed\xa0\x80", "is not UTF-8 text (byte 0)"),
    ],
)
def test_what_is_no_utf8_text_is_refused_with_the_reason(
    workspace: Path, sandbox: Root, data: bytes, why: str
) -> None:
    (workspace / "f").write_bytes(data)
    with pytest.raises(ToolFileError) as caught:
        read_text(sandbox, "f")
    assert why in str(caught.value)


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (FileNotFoundError(), "there is no such file"),
        (IsADirectoryError(), "is a folder"),
        (NotADirectoryError(), "where a folder is needed"),
        (PermissionError(13, "x"), "the system does not allow it"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (OSError(), "OSError"),
    ],
)
def test_the_systems_errors_become_words(error: OSError, why: str) -> None:
    with pytest.raises(ToolFileError) as caught, file_errors("a/b"):
        raise error
    assert str(caught.value).startswith("a/b: ")
    assert why in str(caught.value)


def test_a_violation_stays_a_violation() -> None:
    with pytest.raises(SandboxViolationError), file_errors("x"):
        raise SandboxViolationError(path="x", detail="leads out")


def test_without_a_folder_there_is_no_box() -> None:
    with pytest.raises(ToolFileError, match="no folder"):
        box(ToolContext(Session("s"), ToolCall("1", "read_file", "{}")))


def test_names_stay_on_one_line() -> None:
    assert shown("Übung 1.txt") == "Übung 1.txt"
    assert shown("a\nb") == '"a\\nb"'
    assert shown("a\u202eb") == '"a\\u202eb"'
    assert shown(os.fsdecode(b"\xff")) == '"\\udcff"'
