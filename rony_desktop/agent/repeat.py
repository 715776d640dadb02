"""Breaks the loop of a model that makes one call again and again."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256

from rony_desktop.agent.parser import canonical
from rony_desktop.contract.message import ToolResult

# Asked again with good reason: they are no sign of a model that turns in circles.
UNCOUNTED = frozenset({"load_message", "report_inability"})
RECORDED = 3  # This call of a row is answered from the record; the next one ends the turn.


@dataclass(frozen=True, slots=True)
class CallKey:
    """What identical calls share: the tool, and the digest of its arguments in canonical form."""

    name: str
    digest: str


def key_of(name: str, arguments: str) -> CallKey:
    """The key of a call. Blocking for long arguments.

    Raises:
        ToolReplyError: its arguments are no JSON object.
    """
    return CallKey(name, sha256(canonical(arguments).encode()).hexdigest())


@dataclass(slots=True)
class Repeats:
    """Counts the identical calls of one turn, and keeps what each was answered."""

    _counts: dict[CallKey, int] = field(default_factory=dict)
    _results: dict[CallKey, ToolResult] = field(default_factory=dict)

    def count(self, key: CallKey) -> int:
        """Count one more call; how many identical ones there were, itself among them."""
        if key.name in UNCOUNTED:
            return 1
        self._counts[key] = self._counts.get(key, 0) + 1
        return self._counts[key]

    def keep(self, key: CallKey, result: ToolResult) -> None:
        """Keep what a call was answered."""
        self._results[key] = result

    def kept(self, key: CallKey) -> ToolResult:
        """What this call was answered when it last ran."""
        return self._results[key]

    def forget_others(self, key: CallKey) -> None:
        """Something was changed by this call: every other may be answered differently now."""
        self._counts = {key: self._counts.get(key, 1)}
