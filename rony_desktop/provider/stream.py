"""Event streams over HTTP: bytes in at any split, events out."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING

from rony_desktop.contract.error import StreamBroken

if TYPE_CHECKING:
    import httpx

EVENT_LIMIT_BYTES = 8 * 1024 * 1024
_LINE_END = re.compile(rb"\r\n|\r|\n")


class EventDecoder:
    """Turns blocks of bytes into the data of server-sent events.

    Follows the event stream format of the HTML standard, section 9.2.6, but for its end: data that
    is not followed by an empty line is still given by end().
    """

    def __init__(self, limit_bytes: int = EVENT_LIMIT_BYTES) -> None:
        self._limit = limit_bytes
        self._line: list[bytes] = []
        self._data: list[bytes] = []
        self._size = 0
        self._after_cr = False

    def feed(self, block: bytes) -> list[str]:
        """Take the next bytes in and return the data of every event they complete.

        Raises:
            StreamBroken: one event is larger than limit_bytes.
        """
        if self._after_cr and block.startswith(b"\n"):
            block = block[1:]
            self._after_cr = False
        if not block:
            return []
        self._after_cr = block.endswith(b"\r")
        *whole, rest = _LINE_END.split(block)
        found: list[str] = []
        for end in whole:
            self._keep(end)
            found += self._take_line()
        self._keep(rest)
        return found

    def end(self) -> list[str]:
        """Return the event that was under way when the stream ended, if there is one."""
        return self._take_line() + self._take_line()

    def _keep(self, part: bytes) -> None:
        self._size += len(part)
        if self._size > self._limit:
            raise StreamBroken(detail=f"one piece is larger than {self._limit} bytes")
        if part:
            self._line.append(part)

    def _take_line(self) -> list[str]:
        line = b"".join(self._line)
        self._line.clear()
        if not line:
            return self._take_event()
        field, _, value = line.partition(b":")
        if field == b"data":
            self._data.append(value.removeprefix(b" "))
        else:
            self._size -= len(line)
        return []

    def _take_event(self) -> list[str]:
        data = b"\n".join(self._data)
        self._data.clear()
        self._size = 0
        return [data.decode("utf-8", "replace")] if data else []


async def events(response: httpx.Response) -> AsyncGenerator[str, None]:
    """Yield the data of each event until the response ends; closing it closes the response.

    Raises:
        StreamBroken: one event is too large.
    """
    decoder = EventDecoder()
    blocks = response.aiter_bytes()
    try:
        async for block in blocks:
            for data in decoder.feed(block):
                yield data
        for data in decoder.end():
            yield data
    finally:
        # The response goes first, while blocks still holds httpx's own generators: then they have
        # nothing left to wait for, and end well on a loop without generator hooks (qasync's).
        await response.aclose()
