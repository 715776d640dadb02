"""Secrets taken out of long texts piece by piece, so that other threads get their turn."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rony_desktop.redact import redact

SIZE = 65_536
REACH = 4_096  # characters on each side of a cut that are looked at
LONGEST = 262_144  # of a secret: a private key with pictures in it has 100 KB
TRIES = 40
STEP = 61
BEGIN, END, DASHES = "-----BEGIN ", "-----END ", "-----"

# What no file can hold, and what ends a text for other programs.
_UNFIT = re.compile("[\0\ud800-\udfff]")


def redacted(text: str) -> str:
    """The text without secrets; NUL and halves of surrogate pairs become U+FFFD. Blocking."""
    return "".join(redact(_UNFIT.sub("\ufffd", piece)) for piece in pieces(text))


def pieces(text: str) -> Iterator[str]:
    """The text in pieces of about SIZE characters, none of which ends inside a secret."""
    start = 0
    while start < len(text):
        end = _end(text, start)
        yield text[start:end]
        start = end


def _end(text: str, start: int) -> int:
    for target in range(start + SIZE, len(text), SIZE):
        for cut in _cuts(text, start, target):
            if not _is_in_block(text, start, cut) and _is_harmless(text, cut):
                return cut
        if target - start > LONGEST:
            return target
    return len(text)


def _cuts(text: str, start: int, target: int) -> Iterator[int]:
    """Places to try: ends of lines, before a key, and where neither helps anywhere."""
    cut = target
    for _ in range(TRIES):
        cut = text.rfind("\n", start, cut - 1) + 1
        if not cut:
            break
        yield cut
    key = text.rfind(BEGIN, start + 1, target)
    if key > 0:
        yield key
    yield from range(target, max(start, target - TRIES * STEP), -STEP)


def _is_in_block(text: str, start: int, cut: int) -> bool:
    """Whether a private key began and has not ended before the cut."""
    begin = text.rfind(BEGIN, start, cut)
    if (
        begin < 0
        or "PRIVATE KEY" not in text[begin : begin + 80]
        or text.startswith(BEGIN, cut)  # one key ends where the next begins
    ):
        return False
    end = text.find(END, begin, cut)
    return end < 0 or text.find(DASHES, end + len(END), cut) < 0


def _is_harmless(text: str, cut: int) -> bool:
    """Whether both sides alone lose the same as they do together."""
    left, right = text[max(0, cut - REACH) : cut], text[cut : cut + REACH]
    return redact(left + right) == redact(left) + redact(right)
