"""What could be downloaded, with how it would fit."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.app.discover import DiscoverService
from rony_desktop.contract.error import HubUnreachable, QuantUnknown
from rony_desktop.contract.hub import HubFile, Quant, QuantOffer
from rony_desktop.contract.launch import Fit
from rony_desktop.contract.model import ModelMetadata
from rony_desktop.model.catalog import load
from rony_desktop.model.gguf import GgufMetadataReader
from rony_desktop.model.hardware import HardwareProbe
from tests.fake.hub import FakeHub
from tests.fake.record import FakeRecordStore
from tests.fixture.gguf import gguf
from tests.fixture.launch import LABEL, ROOMY, Still, launches_of

GB = 1 << 30


def quant(name: str, size: int, *, projector: bool = False) -> Quant:
    return Quant(name, (HubFile("who/what", f"what-{name}.gguf", size, ""),), projector)


SMALL, USUAL, HUGE = quant("Q2_K", GB), quant("Q4_K_M", 2 * GB), quant("F16", 999 * GB)
EYES = quant("F16", 1, projector=True)


@pytest.fixture
def header(tmp_path: Path) -> ModelMetadata:
    file = tmp_path / "m.gguf"
    file.write_bytes(gguf(ROOMY))
    return replace(GgufMetadataReader().read(file), size_bytes=GB)


@pytest.fixture
def hub() -> FakeHub:
    return FakeHub(quants=(SMALL, USUAL, HUGE, EYES))


@pytest.fixture
def service(hub: FakeHub, tmp_path: Path) -> DiscoverService:
    probe = Still(replace(HardwareProbe().detect(), gpus=(), ram_bytes=16 * GB))
    return DiscoverService(hub, launches_of(FakeRecordStore(), probe=probe), tmp_path)


async def test_what_models_have_to_fit(service: DiscoverService) -> None:
    found = await service.computer()
    assert found.machine.ram_bytes == 16 * GB
    assert found.engine == LABEL
    assert found.disk_free_bytes


async def test_one_header_tells_of_every_quant(
    service: DiscoverService, hub: FakeHub, header: ModelMetadata
) -> None:
    hub.headers = [header]
    offers = [offer async for offer in service.offers(await service.quants("who/what"))]
    assert [offer.quant for offer in offers] == [SMALL, USUAL, HUGE]
    assert hub.read == [SMALL]
    assert [offer.exact for offer in offers] == [True, False, False]
    assert offers[0].fit in (Fit.FITS, Fit.SHORT)
    assert offers[2].fit is Fit.TOO_LARGE
    small, usual, huge = (offer.decode for offer in offers)
    assert small and usual and huge
    assert small.value > huge.value


async def test_one_quant_is_planned_by_its_own_header(
    service: DiscoverService, hub: FakeHub, header: ModelMetadata
) -> None:
    hub.headers = [header]
    offer = await service.offer(USUAL)
    assert offer.exact
    assert offer.n_ctx > 0
    assert hub.read == [USUAL]


async def test_a_model_that_cannot_chat_says_so(
    service: DiscoverService, hub: FakeHub, header: ModelMetadata
) -> None:
    hub.headers = [replace(header, chat_template="")]
    offer = await service.offer(USUAL)
    assert offer.fit is Fit.UNUSABLE
    assert offer.failure is not None


async def test_without_its_header_nothing_can_be_told(
    service: DiscoverService, hub: FakeHub
) -> None:
    error = HubUnreachable(host="hub", detail="cut")
    hub.headers = [error, error]
    offers = [offer async for offer in service.offers(hub.quants)]
    assert {offer.failure and offer.failure.code for offer in offers} == {"hub.unreachable"}
    assert (await service.offer(USUAL)).failure == error.failure()


async def test_only_projectors_are_no_offer(service: DiscoverService, hub: FakeHub) -> None:
    assert [offer async for offer in service.offers((EYES,))] == []
    assert hub.read == []


async def test_three_suggestions_ask_nobody(service: DiscoverService, hub: FakeHub) -> None:
    found = await service.suggestions()
    assert found.large is not None
    assert found.large.fits
    assert found.large.size_bytes > 0
    assert (hub.asked, hub.read) == ([], [])


async def test_a_suggestion_becomes_what_the_hub_has(service: DiscoverService) -> None:
    found = await service.suggestions()
    assert found.large
    entry = replace(found.large.entry, quant="Q4_K_M")
    assert await service.suggested(entry) == USUAL
    with pytest.raises(QuantUnknown, match="has no Q1_0"):
        await service.suggested(replace(entry, quant="Q1_0"))


def quants(model: str, *names: str) -> tuple[Quant, ...]:
    """One of each name, each larger than the one before, and a projector."""
    made = [
        Quant(name, (HubFile(model, f"sub/{name}.gguf", size, ""),))
        for size, name in enumerate(names, 1)
    ]
    return (*made, Quant("F16", (HubFile(model, "mmproj-F16.gguf", 9, ""),), projector=True))


class Discovery(DiscoverService):
    """Knows some quants; those of a size up to fits fit."""

    def __init__(self, found: tuple[Quant, ...], fits: int) -> None:
        self.found = found
        self.fits = fits

    async def quants(self, model: str) -> Sequence[Quant]:
        return self.found

    async def offers(self, quants: Sequence[Quant]) -> AsyncIterator[QuantOffer]:
        for quant in quants:
            fits = quant.size_bytes <= self.fits
            yield QuantOffer(quant, Fit.FITS if fits else Fit.TOO_LARGE)


@pytest.mark.parametrize(
    ("names", "asked", "fits", "taken"),
    [
        (("Q4_K_M", "Q8_0"), "q8_0", 2, "Q8_0"),
        (("Q4_K_M", "Q8_0"), "Q8_0.gguf", 2, "Q8_0"),
        (("Q4_K_M", "Q8_0"), "sub/Q8_0.gguf", 2, "Q8_0"),
        (("Q2_K", "Q4_K_M", "Q8_0"), "", 3, "Q8_0"),
        (("Q2_K", "Q4_K_M", "Q8_0"), "", 2, "Q4_K_M"),
        (("Q2_K", "Q4_K_M", "Q8_0"), "", 1, "Q2_K"),
        (("Q2_K", "Q3_K", "Q8_0"), "", 2, "Q3_K"),
        (("Q4_K_M", "F16"), "", 2, "Q4_K_M"),
        (("Q8_0",), "", 0, "Q8_0"),
    ],
)
async def test_the_named_else_the_recommended(
    names: tuple[str, ...], asked: str, fits: int, taken: str
) -> None:
    found = await Discovery(quants("a/b", *names), fits).pick("a/b", asked)
    assert found.name == taken


async def test_where_none_fits_the_usual_else_the_smallest_is_taken() -> None:
    for names, taken in ((("Q2_K", "Q3_K"), "Q2_K"), (("Q2_K", "Q4_K_M"), "Q4_K_M")):
        found = await Discovery(quants("a/b", *names), fits=0).pick("a/b")
        assert found.name == taken


async def test_a_model_of_the_catalog_is_taken_as_it_says() -> None:
    entry = next(entry for entry in load() if entry.quant == "Q8_0")
    found = await Discovery(quants(entry.model, "Q4_K_M", "Q8_0"), 9).pick(entry.model)
    assert found.name == "Q8_0"


@pytest.mark.parametrize(("names", "asked"), [(("Q2_K",), "Q9"), ((), ""), ((), "F16")])
async def test_what_is_not_there_is_said(names: tuple[str, ...], asked: str) -> None:
    with pytest.raises(QuantUnknown):
        await Discovery(quants("a/b", *names), 9).pick("a/b", asked)
