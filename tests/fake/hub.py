"""A ModelHub in memory: what it has, and the bytes it gives each time it is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from rony_desktop.contract.error import RonyError
from rony_desktop.contract.halt import Halt
from rony_desktop.contract.hub import Body, HubFile, HubModel, Quant
from rony_desktop.contract.model import ModelMetadata


@dataclass
class Given:
    """One answer: bytes from start on in blocks, then perhaps an error."""

    blocks: Sequence[bytes]
    start: int = 0
    size_bytes: int = 0
    etag: str = "v1"
    error: Exception | None = None


@dataclass
class FakeHub:
    """Answers fetches in the order of given, headers in theirs; asked are offsets.

    refused are the errors that models give in place of their files.
    """

    given: list[Given | Exception] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)
    quants: tuple[Quant, ...] = ()
    headers: list[ModelMetadata | RonyError] = field(default_factory=list)
    read: list[Quant] = field(default_factory=list)
    refused: dict[str, RonyError] = field(default_factory=dict)

    async def search(self, query: str, limit: int) -> Sequence[HubModel]:
        return [HubModel(quant.model, 1, False) for quant in self.quants][:limit]

    async def files(self, model: str) -> Sequence[Quant]:
        if model in self.refused:
            raise self.refused[model]
        return self.quants

    async def header(self, quant: Quant) -> ModelMetadata:
        self.read.append(quant)
        given = self.headers.pop(0)
        if isinstance(given, RonyError):
            raise given
        return given

    @contextmanager
    def fetch(
        self, file: HubFile, offset: int, halt: Halt, limit_bytes: int | None = None
    ) -> Iterator[Body]:
        self.asked.append(offset)
        given = self.given.pop(0)
        if isinstance(given, Exception):
            raise given
        yield Body(given.start, given.size_bytes, given.etag, self._blocks(given, halt))

    def _blocks(self, given: Given, halt: Halt) -> Iterator[bytes]:
        for block in given.blocks:
            halt.check()
            yield block
        if given.error:
            raise given.error
