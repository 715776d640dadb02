"""Which quant of a model to take, and whether it is here already."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rony_desktop.contract.error import QuantUnknown
from rony_desktop.contract.hub import Quant, QuantOffer
from rony_desktop.contract.launch import Fit
from rony_desktop.contract.model import ModelRef
from rony_desktop.model.catalog import BALANCED_PER_S, load

if TYPE_CHECKING:
    from rony_desktop.app.discover import DiscoverService

# What suits most computers where nobody said which of a model's quants to take.
USUAL = "Q4_K_M"
# Weights of 16 and 32 bits take twice the room of eight, and answer no better.
_WASTEFUL = ("F", "BF")


async def pick(discovery: DiscoverService, model: str, name: str = "") -> Quant:
    """The quant of that name, else the catalog's, else the recommended, the usual, the smallest.

    A name may also be that of a file.

    Raises:
        HubError: it cannot be had; QuantUnknown where there is none, or none of that name.
    """
    quants = await discovery.quants(model)
    for quant in quants:
        if name and name in (quant.files[0].name, quant.files[0].name.rpartition("/")[2]):
            return quant
    if name:
        return named(quants, model, name)
    models = [quant for quant in quants if not quant.projector]
    if not models:
        raise QuantUnknown(model=model, quant="GGUF", known="nothing")
    entries = await asyncio.to_thread(load)
    listed = next((entry.quant for entry in entries if entry.model == model), "")
    if found := _of_name(models, listed):
        return found
    if len(models) == 1:
        return models[0]
    best = recommended([offer async for offer in discovery.offers(models)])
    return best or _of_name(models, USUAL) or models[0]


def named(quants: Sequence[Quant], model: str, name: str) -> Quant:
    """A model's quant of that name. Raises QuantUnknown."""
    models = [quant for quant in quants if not quant.projector]
    found = _of_name(models, name)
    if found is None:
        known = ", ".join(quant.name or quant.files[0].name for quant in models) or "nothing"
        raise QuantUnknown(model=model, quant=name, known=known)
    return found


def recommended(offers: Iterable[QuantOffer]) -> Quant | None:
    """The largest that fits well and writes as fast as one reads, else the usual one if it fits.

    Where a speed is not known it counts as enough.
    """
    usable = [each for each in offers if each.fit not in (Fit.TOO_LARGE, Fit.UNUSABLE)]
    good = [
        each.quant
        for each in usable
        if each.fit in (Fit.GPU, Fit.FITS)
        and (each.decode is None or each.decode.value >= BALANCED_PER_S)
        and not each.quant.name.upper().startswith(_WASTEFUL)
    ]
    if good:
        return max(good, key=lambda quant: quant.size_bytes)
    return _of_name([each.quant for each in usable], USUAL)


def here(quant: Quant, models: Iterable[ModelRef]) -> ModelRef | None:
    """The one of this computer's models that is that: by its place, or by its name and size."""
    first = quant.files[0]
    place = tuple(f"{first.model}/{first.name}".split("/"))
    for model in models:
        if model.path is None or model.path.name != place[-1]:
            continue
        if model.path.parts[-len(place) :] == place or model.size_bytes == quant.size_bytes:
            return model
    return None


def _of_name(quants: Iterable[Quant], name: str) -> Quant | None:
    return next((quant for quant in quants if name and quant.name.upper() == name.upper()), None)
