"""Sizes of memory as a user writes and reads them."""

from __future__ import annotations

import argparse
import re

MIB = 1 << 20
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", re.IGNORECASE)
_SHIFTS = {"k": 10, "": 20, "m": 20, "g": 30, "t": 40}
_PLAIN_BYTES = re.compile(r"\d+\s*b", re.IGNORECASE)


def size(text: str) -> int:
    """Bytes of a size such as 8GiB, 8G or 8GB, all the same; a bare number is MiB.

    Raises:
        argparse.ArgumentTypeError: it is none.
    """
    found = _SIZE.fullmatch(text.strip())
    if found is None or _PLAIN_BYTES.fullmatch(text.strip()):
        raise argparse.ArgumentTypeError(f"{text!r} is no size; write 8GiB, or a number of MiB")
    return int(float(found[1]) * (1 << _SHIFTS[found[2].lower()]))


def mib(count: int) -> str:
    """Bytes as MiB with thousands set apart."""
    return f"{count / MIB:,.0f} MiB"
