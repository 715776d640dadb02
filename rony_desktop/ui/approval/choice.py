"""What the user chose on the card."""

from __future__ import annotations

from dataclasses import dataclass

from rony_desktop.contract.approval import GrantScope


@dataclass(frozen=True, slots=True)
class Choice:
    """An Allow: how far it reaches, and the indexes of the hunks taken (None: all)."""

    scope: GrantScope = GrantScope.ONCE
    hunks: tuple[int, ...] | None = None
