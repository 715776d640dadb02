from __future__ import annotations

import pytest

from rony_desktop.contract.hub import Candidate, CatalogEntry
from rony_desktop.model.catalog import load, read, suggest


def entry(size: float) -> CatalogEntry:
    return CatalogEntry(
        model=f"a/{size}", name="", quant="", parameters_b=size, licence="", about="", languages=()
    )


def candidates(speeds: dict[float, float | None], fits: float = 99) -> list[Candidate]:
    return [Candidate(entry(size), size <= fits, speed) for size, speed in speeds.items()]


def sizes(found: list[Candidate]) -> list[float | None]:
    three = suggest(found)
    return [c.entry.parameters_b if c else None for c in (three.small, three.balanced, three.large)]


def test_the_list_that_comes_along_is_whole() -> None:
    entries = load()
    assert 12 <= len(entries) <= 16
    assert entries[0].parameters_b < 0.2
    assert 25 <= entries[-1].parameters_b <= 31
    for each in entries:
        assert each.model.count("/") == 1
        assert each.about.endswith(".")
        assert each.languages
        assert each.active_b is None or each.active_b < each.parameters_b


@pytest.mark.parametrize("text", ["", "- {", "- model: a/b", "x: 1"])
def test_a_broken_list_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        read(text)


def test_each_is_as_able_as_its_speed_allows() -> None:
    speeds: dict[float, float | None] = {0.5: 90, 1.0: 40, 3.0: 15, 8.0: 6, 14.0: 3, 30.0: 1}
    assert sizes(candidates(speeds)) == [1.0, 3.0, 8.0]


def test_what_does_not_fit_is_never_suggested() -> None:
    assert sizes(candidates({1.0: 40, 3.0: 15, 8.0: 12}, fits=3)) == [None, 1.0, 3.0]
    assert sizes(candidates({1.0: 40}, fits=0.5)) == [None, None, None]


def test_without_speeds_size_decides() -> None:
    assert sizes(candidates(dict.fromkeys((0.5, 1.0, 3.0, 4.0, 8.0)))) == [3.0, 4.0, 8.0]


def test_on_a_slow_computer_the_fastest_is_named() -> None:
    assert sizes(candidates({0.1: 3, 1.0: 1})) == [None, None, 0.1]
