"""Ids of what the program makes."""

from __future__ import annotations

from ulid import ULID


def new_id() -> str:
    """A new id for a session or a message: a ULID, so that names sort by time."""
    return str(ULID())
