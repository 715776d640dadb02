"""Files of a model in several parts are known by their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.model.split import is_later_part, numbered, part_name, parts, whole_name


@pytest.mark.parametrize(
    ("name", "later"),
    [
        ("m-00001-of-00003.gguf", False),
        ("m-00002-of-00003.gguf", True),
        ("m-00003-OF-00003.GGUF", True),
        ("m-2-of-3.gguf", False),
        ("m.gguf", False),
    ],
)
def test_later_parts(name: str, later: bool) -> None:
    assert is_later_part(name) is later


def test_parts_stand_beside_the_first() -> None:
    first = Path("a b/模-00001-of-00003.gguf")
    names = [path.name for path in parts(first)]
    assert names == [f"模-0000{n}-of-00003.gguf" for n in (1, 2, 3)]
    assert {path.parent for path in parts(first)} == {first.parent}
    for alone in (Path("m.gguf"), Path("m-00001-of-00001.gguf")):
        assert parts(alone) == (alone,)


@pytest.mark.parametrize(
    ("name", "place"),
    [("x/m-00002-OF-00003.GGUF", (2, 3)), ("m-2-of-3.gguf", (1, 1)), ("m.gguf", (1, 1))],
)
def test_a_name_tells_which_part_it_is(name: str, place: tuple[int, int]) -> None:
    assert numbered(name) == place


def test_names_of_whole_and_part() -> None:
    assert whole_name("m-00001-of-00003.gguf") == "m.gguf"
    assert part_name("m.x.gguf", 2, 3) == "m.x-00002-of-00003.gguf"
    assert part_name("m.gguf", 1, 1) == "m.gguf"
