"""Every reason has a sentence, with the numbers in it."""

import re

import pytest

from rony_desktop.contract.plan import Reason, Why
from rony_desktop.ui.plan.reason import WORDS, reason_words

PARAMS = {
    "limit": "131072",
    "mode": "balanced",
    "wanted": "32768",
    "devices": "Card",
    "layers": "33",
    "architecture": "mystery",
}


@pytest.mark.parametrize("why", Why)
def test_every_reason_is_a_whole_sentence(why: Why) -> None:
    said = reason_words(Reason(why, params=PARAMS))
    assert re.fullmatch(r"[A-Z\"].*\.", said)
    assert "{" not in said


def test_no_two_reasons_sound_alike() -> None:
    assert len(set(WORDS.values())) == len(Why)


def test_numbers_and_modes_are_written_as_people_read_them() -> None:
    assert "131,072" in reason_words(Reason(Why.MODEL_LIMIT, params=PARAMS))
    assert '"Balanced"' in reason_words(Reason(Why.MODE, params=PARAMS))
    assert "mystery" in reason_words(Reason(Why.UPPER_BOUND, params=PARAMS))
