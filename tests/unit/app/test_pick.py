"""Which quant is known by a name, which is recommended, and which is here already."""

from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.app.pick import here, named, recommended
from rony_desktop.contract.error import QuantUnknown
from rony_desktop.contract.hub import HubFile, Quant, QuantOffer
from rony_desktop.contract.launch import Fit
from rony_desktop.contract.model import ModelRef
from rony_desktop.contract.speed import Span

GB = 1 << 30


def quant(name: str, size: int, *, projector: bool = False) -> Quant:
    return Quant(name, (HubFile("who/what", f"what-{name}.gguf", size, ""),), projector)


SMALL, USUAL, HUGE = quant("Q2_K", GB), quant("Q4_K_M", 2 * GB), quant("F16", 999 * GB)


def test_a_quant_is_known_by_its_name_and_a_projector_is_none() -> None:
    assert named((SMALL, USUAL), "m", "q2_k") == SMALL
    with pytest.raises(QuantUnknown, match="has no Q9 to download; it has: Q2_K, Q4_K_M"):
        named((SMALL, USUAL), "m", "Q9")
    with pytest.raises(QuantUnknown, match="nothing"):
        named((quant("F16", 1, projector=True),), "m", "F16")


def offer(quant: Quant, fit: Fit, per_s: float | None) -> QuantOffer:
    return QuantOffer(quant, fit, decode=None if per_s is None else Span(per_s, per_s, per_s))


def test_the_largest_that_fits_well_and_is_fast_enough_is_recommended() -> None:
    eight = quant("Q8_0", 4 * GB)
    offers = [
        offer(SMALL, Fit.GPU, 40),
        offer(USUAL, Fit.GPU, 20),
        offer(eight, Fit.FITS, 7.9),
        offer(HUGE, Fit.TOO_LARGE, None),
    ]
    assert recommended(offers) == USUAL
    assert recommended([*offers[:2], offer(eight, Fit.FITS, 8)]) == eight
    assert recommended([*offers[:2], offer(eight, Fit.FITS, None)]) == eight
    assert recommended([*offers[:2], offer(eight, Fit.SHORT, 30)]) == USUAL
    assert recommended([offers[0], offer(HUGE, Fit.GPU, 30)]) == SMALL


def test_where_nothing_fits_well_the_usual_one_is_recommended_if_it_fits() -> None:
    slow = [offer(SMALL, Fit.FITS, 2), offer(USUAL, Fit.PARTLY, 1)]
    assert recommended(slow) == USUAL
    assert recommended([offer(SMALL, Fit.SHORT, 2), offer(USUAL, Fit.TOO_LARGE, 1)]) is None
    assert recommended([]) is None


def test_a_model_is_here_by_its_place_or_by_name_and_size() -> None:
    def ref(path: str, size: int) -> ModelRef:
        return ModelRef("llamacpp", Path(path).stem, Path(path), size)

    name = USUAL.files[0].name
    there = ref(f"/models/who/what/{name}", 1)
    assert here(USUAL, [ref("/x/other.gguf", 1), there]) == there
    assert here(USUAL, [ref(f"/elsewhere/{name}", USUAL.size_bytes)])
    assert not here(USUAL, [ref(f"/elsewhere/{name}", 1)])
    assert not here(USUAL, [ref("/elsewhere/other.gguf", USUAL.size_bytes)])
    assert not here(USUAL, [ModelRef("scripted", "x")])
