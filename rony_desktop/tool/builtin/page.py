"""One page of a long text, small enough to stay in the conversation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# Left free below the inline limit: the page's first line and the untrusted-content wrapper.
RESERVE_BYTES = 512
PLACE: Mapping[str, Any] = {
    "offset": {"type": "integer", "description": "first line, from 1"},
    "limit": {"type": "integer", "description": "number of lines"},
    "column": {"type": "integer", "description": "first character of that line, from 1"},
}
_CHUNK = 65_536


def room_of(inline_limit: int) -> int:
    """Bytes of text that fit into a result which must not be stored."""
    return max(inline_limit - RESERVE_BYTES, inline_limit // 4)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page begins, 1-based, and how many lines it may have at most."""

    offset: int = 1
    column: int = 1
    limit: int | None = None

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> Place:
        """Read from arguments; what lies before the start is the start."""
        limit = arguments.get("limit")
        return cls(
            max(1, int(arguments.get("offset", 1))),
            max(1, int(arguments.get("column", 1))),
            None if limit is None else max(1, int(limit)),
        )


def page(text: str, place: Place, room: int) -> str:
    """At most room bytes of a text, after a line that says which lines and how to go on.

    Lines keep their ends; one that does not fit is cut and goes on at a column.
    """
    total = line_count(text)
    if place.offset > total:
        return f"[no line {place.offset}: there are {total} lines]" if total else "[empty]"
    begin = _line_start(text, place.offset) + place.column - 1
    line_end = text.find("\n", begin - place.column + 1)
    if begin > (len(text) if line_end < 0 else line_end):
        return f"[line {place.offset} has fewer than {place.column} characters]"
    stop = len(text) if place.limit is None else _line_start(text, place.offset + place.limit)
    piece = _fitting(text[begin : min(stop, begin + room)], room)
    inside = begin + len(piece) < stop
    if inside and (border := piece.rfind("\n")) >= 0:
        piece, inside = piece[: border + 1], False
    last = place.offset + piece.count("\n") - piece.endswith("\n")
    head = f"lines {place.offset}-{last} of {total}"
    if place.column > 1:
        head += f" from character {place.column}"
    if inside:
        head += f"; go on with offset {last}, column {place.column + len(piece)}"
    elif last < total:
        head += f"; go on with offset {last + 1}"
    return f"[{head}]\n{piece}"


def line_count(text: str) -> int:
    """Number of lines; a last one without an end counts."""
    return text.count("\n") + (not text.endswith("\n") and text != "")


def _line_start(text: str, number: int) -> int:
    # In steps of a chunk, so that a text of many million line ends needs no list of them.
    index, left = 0, number - 1
    while left and index < len(text):
        found = text.count("\n", index, index + _CHUNK)
        if found < left:
            index, left = index + _CHUNK, left - found
            continue
        for _ in range(left):
            index = text.index("\n", index) + 1
        return index
    return min(index, len(text))


def _fitting(text: str, room: int) -> str:
    return text.encode("utf-8", "replace")[:room].decode("utf-8", "ignore")
