from __future__ import annotations

import os
from pathlib import Path

import pytest

from rony_desktop.contract.error import HubForeign
from rony_desktop.contract.hub import HubFile, Quant
from rony_desktop.model.part import (
    PAGE,
    Page,
    discard,
    from_json,
    kept_bytes,
    length,
    page_of,
    pages,
    part_of,
    place,
    read_page,
    to_json,
    write_page,
)

FILE = HubFile("maker/m", "sub/größe.gguf", 10, "ab", "c0")
QUANT = Quant("Q8_0", (FILE,))


def test_a_file_lies_below_its_model(tmp_path: Path) -> None:
    assert place(tmp_path, FILE) == tmp_path / "maker" / "m" / "sub" / "größe.gguf"


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("maker/m", "../m.gguf"),
        ("maker/m", "/etc/m.gguf"),
        ("maker/m", "a//m.gguf"),
        ("maker/m", "a\\m.gguf"),
        ("maker/m", "C:m.gguf"),
        ("maker/m", "m\x00.gguf"),
        ("maker/m", "m.gguf "),
        ("maker/m", "\ud800.gguf"),
        ("maker/m", "\u202efugg.gguf"),
        ("maker/m", "NUL.gguf"),
        ("../m", "m.gguf"),
    ],
)
def test_a_name_never_leads_away(tmp_path: Path, model: str, name: str) -> None:
    with pytest.raises(HubForeign):
        place(tmp_path, HubFile(model, name, 1, ""))


def test_the_page_comes_back_as_it_was(tmp_path: Path) -> None:
    path = page_of(place(tmp_path, FILE))
    assert read_page(path) is None
    page = Page(QUANT, {FILE.name: "v1"}, [FILE.name])
    write_page(path, page)
    assert read_page(path) == page
    assert list(pages(tmp_path)) == [QUANT]
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_damaged_or_moved_page_is_no_page(tmp_path: Path) -> None:
    write_page(tmp_path / "elsewhere" / "m.gguf.part.json", Page(QUANT))
    (tmp_path / "x.part.json").write_text("{")
    bad = Quant("", (HubFile("../m", "m.gguf", 1, ""),))
    write_page(tmp_path / "bad.gguf.part.json", Page(bad))
    assert list(pages(tmp_path)) == []


def test_what_is_kept_is_counted_and_deleted(tmp_path: Path) -> None:
    target = place(tmp_path, FILE)
    target.parent.mkdir(parents=True)
    assert kept_bytes(tmp_path, QUANT) == 0
    target.write_bytes(bytes(7))
    assert kept_bytes(tmp_path, QUANT) == 0
    target.write_bytes(bytes(10))
    assert kept_bytes(tmp_path, QUANT) == 10
    part_of(target).write_bytes(bytes(4))
    assert kept_bytes(tmp_path, QUANT) == 4
    discard(tmp_path, QUANT)
    assert [path.name for path in tmp_path.rglob("*.*")] == [target.name]
    target.unlink()
    discard(tmp_path, QUANT)
    assert list(tmp_path.iterdir()) == []


def test_a_quant_survives_json() -> None:
    assert from_json(to_json(QUANT)) == QUANT
    for broken in ({}, {"name": "x", "files": []}, None):
        with pytest.raises(ValueError):
            from_json(broken)


def test_what_cannot_be_looked_at_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert length(tmp_path / "file" / "m.gguf") == 0
    assert length(tmp_path / ("m" * 300)) == 0


@pytest.mark.skipif(os.name == "nt", reason="it has no such pipes")
def test_a_pipe_is_no_page_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / f"m.gguf{PAGE}")
    assert list(pages(tmp_path)) == []
