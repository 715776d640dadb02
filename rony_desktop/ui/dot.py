"""The dot between the parts of a line."""

from __future__ import annotations

from collections.abc import Iterable

DOT = " \u00b7 "


def joined(parts: Iterable[str]) -> str:
    """The parts that say something, with dots between them."""
    return DOT.join(part for part in parts if part)


def spoken(line: str) -> str:
    """A line as a screen reader should say it: commas in place of the dots."""
    return line.replace(DOT, ", ")
