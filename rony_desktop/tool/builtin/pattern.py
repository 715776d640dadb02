"""A pattern of a search, matched line by line in time linear in the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rony_desktop.contract.error import ToolArgumentsError

# The longest piece matched at once: a caller can stop between two (0.5 s to 2 s at the worst). A
# line longer than this is searched in pieces.
PIECE_BYTES = 262_144
EXCERPT_CHARS = 200
_LEAD_CHARS = 40
_MAX_MEMORY_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Hit:
    """A line that matches, 1-based, and the part of it around the match."""

    line: int
    text: str


class Pattern:
    """A regular expression of RE2, or the literal text where RE2 cannot read it; note says so.

    Raises:
        ToolArgumentsError: it is too long even for that.
    """

    def __init__(self, pattern: str) -> None:
        import re2

        wanted = pattern.encode("utf-8", "replace")
        self.note = "a line end never matches" if b"\n" in wanted else ""
        try:
            # RE2 knows no flag argument: ^ and $ mean lines by a group in front.
            self._matcher = re2.compile(b"(?m)" + wanted, _options())
        except re2.error as error:
            reason = error.args[0].decode("utf-8", "replace")
            self.note = f"not a regular expression here ({reason}): searched for the text itself"
            try:
                self._matcher = re2.compile(wanted, _options(literal=True))
            except re2.error as unusable:
                detail = f"a pattern of {len(wanted)} bytes is too long"
                raise ToolArgumentsError(name="the search", detail=detail) from unusable

    def hits(self, data: bytes) -> Iterator[Hit | None]:
        """Lines of UTF-8 text that match; None after each piece, to let the caller stop."""
        for line, piece in _pieces(data.replace(b"\r\n", b"\n")):
            yield from self._piece_hits(line, piece)
            yield None

    def _piece_hits(self, line: int, piece: bytes) -> Iterator[Hit]:
        counted = position = 0
        while position <= len(piece) and (match := self._matcher.search(piece, position)):
            begin = piece.rfind(b"\n", 0, match.start()) + 1
            end = piece.find(b"\n", match.start())
            end = len(piece) if end < 0 else end
            line += piece.count(b"\n", counted, begin)
            yield Hit(line, _excerpt(piece[begin:end], match.start() - begin))
            counted, position = begin, end + 1


def _options(*, literal: bool = False) -> Any:
    import re2

    options = re2.Options()
    options.never_nl = True
    options.log_errors = False
    options.literal = literal
    options.max_mem = _MAX_MEMORY_BYTES
    return options


def _pieces(data: bytes) -> Iterator[tuple[int, bytes]]:
    line, start, end = 1, 0, len(data) - data.endswith(b"\n")
    while data:
        cut = end
        if end - start > PIECE_BYTES:
            border = data.rfind(b"\n", start, start + PIECE_BYTES)
            cut = border if border > start else start + PIECE_BYTES
        yield line, data[start:cut]
        if cut >= end:
            return
        ended = data[cut] == ord("\n")
        line += data.count(b"\n", start, cut) + ended
        start = cut + ended


def _excerpt(line: bytes, at: int) -> str:
    before = line[:at].decode("utf-8", "replace")
    text = line.decode("utf-8", "replace").rstrip("\r")
    if len(text) <= EXCERPT_CHARS:
        return text
    start = max(0, min(len(before) - _LEAD_CHARS, len(text) - EXCERPT_CHARS))
    end = start + EXCERPT_CHARS
    return ("…" if start else "") + text[start:end] + ("…" if end < len(text) else "")
