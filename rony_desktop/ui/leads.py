"""Where the pages about models lead: to another page, a model's plan, its use, the main window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Leads:
    """show opens a page of the manager by its name; act does what an Action says."""

    show: Callable[[str], None]
    plan: Callable[[Path], None]
    use: Callable[[str], None]
    act: Callable[[str], None]
