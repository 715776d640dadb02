"""Which quant is taken: the named, the catalog's, the usual, else the largest that fits."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import pytest

from rony_desktop.app.discover import DiscoverService
from rony_desktop.app.pick import pick
from rony_desktop.contract.error import QuantUnknown
from rony_desktop.contract.hub import HubFile, Quant, QuantOffer
from rony_desktop.contract.launch import Fit
from rony_desktop.model.catalog import load


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
    ("names", "asked", "taken"),
    [
        (("Q4_K_M", "Q8_0"), "q8_0", "Q8_0"),
        (("Q4_K_M", "Q8_0"), "Q8_0.gguf", "Q8_0"),
        (("Q4_K_M", "Q8_0"), "sub/Q8_0.gguf", "Q8_0"),
        (("Q2_K", "Q4_K_M", "Q8_0"), "", "Q4_K_M"),
        (("Q2_K", "Q3_K", "Q8_0"), "", "Q3_K"),
        (("Q8_0",), "", "Q8_0"),
    ],
)
async def test_the_named_the_usual_else_the_largest_that_fits(
    names: tuple[str, ...], asked: str, taken: str
) -> None:
    found = await pick(Discovery(quants("a/b", *names), fits=2), "a/b", asked)
    assert found.name == taken


async def test_where_none_fits_the_smallest_is_taken() -> None:
    found = await pick(Discovery(quants("a/b", "Q2_K", "Q3_K"), fits=0), "a/b")
    assert found.name == "Q2_K"


async def test_a_model_of_the_catalog_is_taken_as_it_says() -> None:
    entry = next(entry for entry in load() if entry.quant == "Q8_0")
    found = await pick(Discovery(quants(entry.model, "Q4_K_M", "Q8_0"), 9), entry.model)
    assert found.name == "Q8_0"


@pytest.mark.parametrize(("names", "asked"), [(("Q2_K",), "Q9"), ((), ""), ((), "F16")])
async def test_what_is_not_there_is_said(names: tuple[str, ...], asked: str) -> None:
    with pytest.raises(QuantUnknown):
        await pick(Discovery(quants("a/b", *names), 9), "a/b", asked)
