"""Makes characters that cannot be seen, or that move others, visible."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

PIECE = 400  # characters of one shown line: Qt stalls on lines that are much longer
RETURN = "\u21b5"  # stands where a line of the text ends, and not only one of the window
_BEYOND = re.compile("[^\x20-\x7e]")
_ASTRAL = 0xFFFF
# Printable by name, blank or unseen in fact: joiners, fillers, variation selectors (Unicode's
# Default_Ignorable_Code_Point, DerivedCoreProperties.txt), and the empty Braille pattern.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0000-\U000e0fff]"
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str) -> str:
    r"""Text with every control, bidi, zero-width, tag and private-use character as \u202e.

    Line ends and tabs are \n, \r and \t. A backslash of the text stays as it is.
    """
    return _BEYOND.sub(lambda found: _shown(found[0]), text)


def visible_lines(text: str) -> Iterator[str]:
    """The lines to show a text in: escaped, a sign where a line ends, long ones broken."""
    start, size = 0, len(text)
    while start < size:
        stop = min(start + PIECE, size)
        end = text.find("\n", start, stop)
        if end >= 0:
            yield visible(text[start:end]) + RETURN
            start = end + 1
        else:
            yield visible(text[start:stop])
            start = stop
    if not text or text.endswith("\n"):
        yield ""


@lru_cache(4096)
def _shown(character: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    if character.isprintable() and not _UNSEEN.match(character):
        return character
    code = ord(character)
    return f"\\U{code:08x}" if code > _ASTRAL else f"\\u{code:04x}"
