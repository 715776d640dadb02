"""A Web of releases in memory: answers by exact address, in small blocks, and what was asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from rony_desktop.contract.error import HubUnreachable
from rony_desktop.contract.halt import Halt


@dataclass
class FakeAnswer:
    """What comes of one request; cut says that the connection breaks at the end of the body."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False
    block_bytes: int = 10

    def blocks(self) -> Iterator[bytes]:
        for at in range(0, len(self.body), self.block_bytes):
            yield self.body[at : at + self.block_bytes]
        if self.cut:
            raise HubUnreachable(host="host", detail="the connection was closed")


class FakeWeb:
    """Answers what it was given; another address is not found."""

    def __init__(self, answers: Mapping[str, FakeAnswer] | None = None) -> None:
        self.answers = dict(answers or {})
        self.asked: list[str] = []

    @contextmanager
    def get(self, url: str, headers: Mapping[str, str], halt: Halt) -> Iterator[FakeAnswer]:
        halt.check()
        self.asked.append(url)
        yield self.answers.get(url, FakeAnswer(status=404))
