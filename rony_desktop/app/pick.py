"""Which quant of a model to take where the user names one, or none."""

from __future__ import annotations

import asyncio

from rony_desktop.app.discover import USUAL, DiscoverService, chosen
from rony_desktop.contract.error import QuantUnknown
from rony_desktop.contract.hub import Quant
from rony_desktop.contract.launch import Fit
from rony_desktop.model.catalog import load

_FITS = (Fit.GPU, Fit.PARTLY, Fit.FITS)


async def pick(discovery: DiscoverService, model: str, name: str = "") -> Quant:
    """The quant of that name, else the catalog's, else the usual one, else the largest that fits.

    A name may also be that of a file. Where none fits the smallest is taken.

    Raises:
        HubError: it cannot be had; QuantUnknown where there is none of that name.
    """
    quants = await discovery.quants(model)
    for quant in quants:
        if name and name in (quant.files[0].name, quant.files[0].name.rpartition("/")[2]):
            return quant
    if name:
        return chosen(quants, model, name)
    entries = await asyncio.to_thread(load)
    listed = (entry.quant for entry in entries if entry.model == model)
    for usual in (*listed, USUAL):
        for quant in quants:
            if not quant.projector and quant.name.upper() == usual.upper():
                return quant
    models = [quant for quant in quants if not quant.projector]
    if not models:
        raise QuantUnknown(model=model, quant="GGUF", known="nothing")
    fitting = [each.quant async for each in discovery.offers(models) if each.fit in _FITS]
    return max(fitting or models[:1], key=lambda quant: quant.size_bytes)
