"""Every reason has its English words."""

from __future__ import annotations

from rony_desktop.cli.reason import WORDS, words
from rony_desktop.contract.plan import Reason, Why


def test_every_reason_has_words() -> None:
    assert set(WORDS) == set(Why)
    assert len(set(WORDS.values())) == len(Why)


def test_parameters_are_put_in() -> None:
    assert words(Reason(Why.MODE, params={"mode": "small"})) == "what the mode small asks for"
