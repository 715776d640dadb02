"""A Web in memory: answers by the beginning of an address, and what was asked, with headers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from rony_desktop.contract.halt import Halt


@dataclass
class FakeAnswer:
    """What comes of one request."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    def blocks(self) -> Iterator[bytes]:
        yield self.body


class FakeWeb:
    """Answers with the page whose key is the longest beginning of the address."""

    def __init__(self, pages: Mapping[str, FakeAnswer]) -> None:
        self.pages = dict(pages)
        self.asked: list[tuple[str, Mapping[str, str]]] = []

    @contextmanager
    def get(self, url: str, headers: Mapping[str, str], halt: Halt) -> Iterator[FakeAnswer]:
        halt.check()
        self.asked.append((url, dict(headers)))
        yield self.pages[max(filter(url.startswith, self.pages), key=len)]
