"""Tells every shell what happens outside a turn."""

from __future__ import annotations

from collections.abc import Callable

from rony_desktop.contract.event import FeedEvent

Listener = Callable[[FeedEvent], None]


class Feed:
    """Calls its listeners in order, on the loop's thread. Nothing is kept for late listeners."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Add a listener; the returned function removes it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def publish(self, event: FeedEvent) -> None:
        """Tell every listener."""
        for listener in tuple(self._listeners):
            listener(event)
