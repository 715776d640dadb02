"""Which quant of a model to take, and whether it is here already."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rony_desktop.contract.error import QuantUnknown
from rony_desktop.contract.hub import Quant, QuantOffer
from rony_desktop.contract.launch import Fit
from rony_desktop.contract.model import ModelRef
from rony_desktop.model.catalog import BALANCED_PER_S

# What suits most computers where nobody said which of a model's quants to take.
USUAL = "Q4_K_M"
# Weights of 16 and 32 bits take twice the room of eight, and answer no better.
_WASTEFUL = ("F", "BF")


def named(quants: Sequence[Quant], model: str, name: str) -> Quant:
    """A model's quant of that name, which may also be a file's. Raises QuantUnknown."""
    for quant in quants:
        if name in (quant.files[0].name, quant.files[0].name.rpartition("/")[2]):
            return quant
    models = [quant for quant in quants if not quant.projector]
    found = of_name(models, name)
    if found is None:
        known = ", ".join(quant.name or quant.files[0].name for quant in models) or "nothing"
        raise QuantUnknown(model=model, quant=name, known=known)
    return found


def of_name(quants: Iterable[Quant], name: str) -> Quant | None:
    """The one of that name, which the hub may write otherwise; None where there is none."""
    return next((quant for quant in quants if name and quant.name.upper() == name.upper()), None)


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
    return of_name([each.quant for each in usable], USUAL)


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
