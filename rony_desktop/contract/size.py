"""Sizes in words for errors and the command line; the window has its own, in the same units."""

from __future__ import annotations

GB, MB = 1 << 30, 1 << 20


def gb(count: int) -> str:
    """Bytes as GB, or as MB where that is less than one; a GB has 1024 MB, as memory is counted."""
    return f"{count / GB:.1f} GB" if count >= GB else f"{count / MB:.0f} MB"
