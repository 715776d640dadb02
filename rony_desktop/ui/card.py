"""An error as the window words it: what happened, what to do, one button."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ErrorText:
    """An error in the user's language; button and action are empty where nothing can be done."""

    sentence: str
    remedy: str = ""
    button: str = ""
    action: str = ""
