"""How fast something comes, over the last seconds."""

from __future__ import annotations

from collections import deque

WINDOW_S = 5.0
SHORTEST_S = 0.5


class Pace:
    """Takes a growing number with its time, in seconds; a number that falls begins anew."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()

    def take(self, moment: float, done: int) -> None:
        """Note how much there is now."""
        if self._seen and done < self._seen[-1][1]:
            self._seen.clear()
        self._seen.append((moment, done))
        while len(self._seen) > 2 and moment - self._seen[1][0] >= WINDOW_S:  # noqa: PLR2004
            self._seen.popleft()

    def clear(self) -> None:
        """Forget what was: after a break the time of it is not counted."""
        self._seen.clear()

    def per_s(self) -> float | None:
        """What comes each second, None where too little was seen."""
        if not self._seen:
            return None
        (start, before), (end, now) = self._seen[0], self._seen[-1]
        return (now - before) / (end - start) if end - start >= SHORTEST_S else None
