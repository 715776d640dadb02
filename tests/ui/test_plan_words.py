"""Everything a plan can say has words of its own."""

from enum import StrEnum
from typing import Any

import pytest

from rony_desktop.contract.config import OptimizationMode
from rony_desktop.contract.launch import Fit, Rung
from rony_desktop.contract.plan import CACHE_TYPES, Source
from rony_desktop.contract.speed import Basis
from rony_desktop.ui.plan import words
from rony_desktop.ui.plan.ledger import Item
from rony_desktop.ui.plan.segment import Part


@pytest.mark.parametrize(
    ("say", "kind"),
    [
        (words.fit_word, Fit),
        (words.fit_sentence, Fit),
        (words.rung_words, Rung),
        (words.basis_words, Basis),
        (words.mode_word, OptimizationMode),
        (words.part_word, Part),
        (words.item_words, Item),
    ],
)
def test_every_member_has_words_of_its_own(say: Any, kind: type[StrEnum]) -> None:
    said = [say(member) for member in kind]
    assert all(said)
    assert len(set(said)) == len(said)


def test_every_source_says_whose_choice_it_is() -> None:
    said = {source: words.source_word(source) for source in Source}
    assert said[Source.GIVEN] == said[Source.KEPT] == "you"
    assert len(set(said.values())) == len(Source) - 1


def test_every_cache_type_is_named() -> None:
    assert all(name in words.cache_words(name) for name in CACHE_TYPES)
