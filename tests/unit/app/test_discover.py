"""What could be downloaded, with how it would fit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.app.discover import DiscoverService
from rony_desktop.contract.error import HubUnreachable, QuantUnknown
from rony_desktop.contract.hub import HubFile, Quant
from rony_desktop.contract.launch import Fit
from rony_desktop.contract.model import ModelMetadata
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
