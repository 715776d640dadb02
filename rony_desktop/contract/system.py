"""Sections of the composable system prompt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum


class Slot(IntEnum):
    """Order of sections in the prompt: the most stable first, so that the KV cache holds."""

    IDENTITY = 0
    BEHAVIOR = 1
    RULES = 2
    ENVIRONMENT = 3


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the system prompt; an empty rendering is left out."""

    slot: Slot
    name: str
    source: str
    render: Callable[[], str]


@dataclass(frozen=True, slots=True)
class SystemChange:
    """A section was used, refreshed or dropped, and by whom."""

    name: str
    present: bool
    caller: str
