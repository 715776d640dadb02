"""Models to download in memory: offers and searches wait until the test lets them go on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

from rony_desktop.contract.hub import HubModel, Quant, QuantOffer, Suggestion

NOTHING = Suggestion(None, None, None)


@dataclass
class FakeDiscovery:
    """What is asked is noted; gate holds searches and offers while it is closed.

    held holds the suggestions.
    """

    models: Sequence[HubModel] = ()
    found: Sequence[Quant] = ()
    told: Sequence[QuantOffer] = ()
    exact: dict[str, QuantOffer] = field(default_factory=dict)
    suggestion: Suggestion = NOTHING
    error: Exception | None = None
    asked: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    held: bool = False
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    async def search(self, query: str) -> Sequence[HubModel]:
        self.asked.append(query)
        try:
            await self.gate.wait()
        finally:
            self.ended.append(query)
        if self.error:
            raise self.error
        return self.models

    async def suggestions(self) -> Suggestion:
        self.asked.append("suggestions")
        try:
            while self.held:
                await asyncio.sleep(0.001)
        finally:
            self.ended.append("suggestions")
        return self.suggestion

    async def quants(self, model: str) -> Sequence[Quant]:
        self.asked.append(model)
        if self.error:
            raise self.error
        return self.found

    async def offers(self, quants: Sequence[Quant]) -> AsyncIterator[QuantOffer]:
        for offer in self.told:
            yield offer
            await self.gate.wait()

    async def offer(self, quant: Quant) -> QuantOffer:
        self.asked.append(quant.name)
        return self.exact[quant.name]
