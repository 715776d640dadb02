"""Text files of the chosen folder: read, refused where they are none, named safely."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

from rony_desktop.contract.error import SandboxViolationError, ToolFileError
from rony_desktop.contract.port import Sandbox
from rony_desktop.contract.tool_spec import ToolContext

BOM = "\ufeff"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_WORDS: tuple[tuple[type[OSError], str], ...] = (
    (FileNotFoundError, "there is no such file or folder"),
    (IsADirectoryError, "is a folder, not a file"),
    (NotADirectoryError, "is a file where a folder is needed"),
    (FileExistsError, "is there already"),
    (PermissionError, "the system does not allow it"),
)


def box(context: ToolContext) -> Sandbox:
    """The sandbox of a call.

    Raises:
        ToolFileError: no folder is chosen.
    """
    if context.sandbox is None:
        raise ToolFileError(path=".", detail="no folder is chosen for this chat")
    return context.sandbox


@contextmanager
def file_errors(path: str) -> Iterator[None]:
    """Turn what the system says of a path into a ToolFileError the model can act on."""
    try:
        yield
    except SandboxViolationError:
        raise
    except OSError as error:
        said = (words for kind, words in _WORDS if isinstance(error, kind))
        detail = next(said, error.strerror or type(error).__name__)
        raise ToolFileError(path=path, detail=detail) from error


def read_text(sandbox: Sandbox, path: str) -> str:
    """A whole file as text, byte order mark and line ends kept. Blocking.

    Raises:
        ToolFileError: it is missing, or no UTF-8 text.
    """
    with file_errors(path):
        data = sandbox.read_bytes(sandbox.relative(path))
    if data.startswith(_UTF16):
        raise ToolFileError(path=path, detail="is UTF-16; only UTF-8 text can be used")
    if b"\0" in data:
        raise ToolFileError(path=path, detail="is binary; only UTF-8 text can be used")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        detail = f"is not UTF-8 text (byte {error.start})"
        raise ToolFileError(path=path, detail=detail) from error


def shown(name: str) -> str:
    """A file name on one line: as it is, or quoted where it holds what does not print."""
    return name if name.isprintable() else json.dumps(name)
