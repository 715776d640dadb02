"""Where a path leads, as far as names and folders tell."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Trace:
    """The parts a path has without links, and what was passed on the way.

    links holds the parts of each link that was followed; folders device and inode of every folder
    entered that was not left again, the root first.
    """

    parts: tuple[str, ...]
    links: tuple[tuple[str, ...], ...] = ()
    folders: tuple[tuple[int, int], ...] = ()
