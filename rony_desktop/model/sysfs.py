"""One value a file, as Linux's sysfs and control groups have them."""

from __future__ import annotations

from pathlib import Path


def read_number(file: Path) -> int | None:
    """A whole number; None for another word, a negative number or no such file."""
    text = read_text(file)
    return int(text) if text.isdecimal() else None


def read_text(file: Path) -> str:
    """The text without the white space around it; empty where it cannot be read."""
    try:
        return file.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
