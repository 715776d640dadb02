"""What is chosen of a model, and whether it would be of any use."""

from __future__ import annotations

import pytest

from rony_desktop.contract.launch import Fit
from rony_desktop.ui.discover.state import Item, Opened
from tests.fixture.download import MODEL, offer, quant

ONE = quant("Q4_K_M")


@pytest.mark.parametrize("fit", list(Fit))
def test_what_does_not_fit_or_is_no_model_is_doubtful(fit: Fit) -> None:
    doubtful = fit in (Fit.TOO_LARGE, Fit.UNUSABLE)
    assert Item(ONE, offer(ONE, fit)).doubtful is doubtful
    assert not Item(ONE).doubtful


def test_nothing_is_chosen_until_a_row_is() -> None:
    opened = Opened(MODEL, items=(Item(ONE),))
    assert opened.item is None
    assert Opened(MODEL, items=(Item(ONE),), chosen=0).item == Item(ONE)
    assert Opened(MODEL, items=(Item(ONE),), chosen=1).item is None
