"""Lines a search found, as many as a result may hold."""

from __future__ import annotations

MAX_HITS = 100


class Found:
    """Collects lines until room bytes are used; notes say what is not among them."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._lines: list[str] = []
        self.notes: list[str] = []
        self.full = False

    def add(self, line: str) -> None:
        """Take one more line, or be full."""
        self._room -= len(line.encode("utf-8", "replace")) + 1
        if self._room < 0 or len(self._lines) == MAX_HITS:
            self.full = True
            return
        self._lines.append(line)

    def text(self) -> str:
        """The result: the lines, then the notes."""
        count = len(self._lines)
        head = f"{count} hit{'s' * (count != 1)}" if count else "nothing found"
        notes = [f"only the first {count} are here" if self.full else "", *self.notes]
        told = "; ".join([head, *filter(None, notes)])
        return "\n".join([*self._lines, f"[{told}]"])
