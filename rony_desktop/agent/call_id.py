"""Ids of tool calls: every result finds its call, whatever ids a server made up."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import replace

from rony_desktop.contract.message import ToolCall

LONGEST = 64


class CallIds:
    """The ids of one conversation; taken are those it has already."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)

    def settle(self, calls: Iterable[ToolCall]) -> tuple[ToolCall, ...]:
        """The calls of a reply in their order; an id that is empty, too long or taken is new."""
        return tuple(self._settled(call) for call in calls)

    def _settled(self, call: ToolCall) -> ToolCall:
        if not call.id or len(call.id) > LONGEST or call.id in self._taken:
            call = replace(call, id=secrets.token_hex(8))
        self._taken.add(call.id)
        return call
