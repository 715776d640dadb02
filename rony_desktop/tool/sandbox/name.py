"""Paths as text: what is refused before any file is touched."""

from __future__ import annotations

import errno
import os
import re
from urllib.parse import unquote

LIMIT_BYTES = 4096  # PATH_MAX, the end of its string included
MODE_BITS = 0o777
DECODINGS = 3  # %25252e is as far as anyone goes

ESCAPES = "leads out of the folder"
ABSOLUTE = "is absolute"
TOO_MANY_LINKS = "leads through too many links"
CHANGED = "was changed while it was opened"
NOT_PLAIN = "is no plain file or folder"
ITSELF = "names the folder itself"


class Refused(Exception):
    """A path may not be used; Root makes a SandboxViolationError of it."""


def text_of(path: object) -> str:
    """The path as text, its form not yet judged."""
    try:
        text = os.fspath(path)  # type: ignore[call-overload]
    except TypeError as error:
        raise Refused("is no text") from error
    if not isinstance(text, str):
        raise Refused("is no text")
    if not text:
        raise Refused("is empty")
    if "\0" in text:
        raise Refused("holds a NUL byte")
    try:
        size = len(os.fsencode(text))
    except UnicodeEncodeError as error:
        raise Refused("cannot be the name of a file") from error
    if size >= LIMIT_BYTES:
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))
    return text


def checked(path: object) -> str:
    """The path as relative text; nothing in it is decoded or expanded."""
    text = text_of(path)
    if text.startswith("/"):
        raise Refused(ABSOLUTE)
    if os.name == "nt":
        windows_checked(text)
    return text


def checked_mode(mode: int) -> int:
    """Permission bits of a new file or folder."""
    if mode & ~MODE_BITS:
        raise Refused(f"cannot have the mode {mode:#o}")
    return mode


def refuse_encoded(path: str) -> None:
    """Refuse a name that would be "..", or hold NUL, for whoever decodes it after us."""
    for _ in range(DECODINGS):
        decoded = unquote(path)
        if decoded == path:
            return
        path = decoded
        if "\0" in path or ".." in re.split(r"[/\\]", path):
            raise Refused("hides '..' or NUL behind percent signs")


_DEVICE = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?:\..*)?",
    re.IGNORECASE | re.DOTALL,
)
_CONTROL = re.compile(r'[\x00-\x1f<>"|?*]')


def windows_checked(path: str) -> None:
    """Refuse what Windows would take for a device, a drive, a stream or another spelling.

    Source: "Naming Files, Paths, and Namespaces" of the Windows documentation.
    """
    if path.startswith(("/", "\\")):
        raise Refused(ABSOLUTE)
    if ":" in path:
        raise Refused("holds a colon")
    for part in re.split(r"[/\\]", path):
        if part in ("", ".", ".."):
            continue
        if _CONTROL.search(part):
            raise Refused("holds a character that names of files cannot have")
        if part.endswith((".", " ")):
            raise Refused("has a part that ends in a dot or a blank")
        if _DEVICE.fullmatch(part):
            raise Refused("names a device")
