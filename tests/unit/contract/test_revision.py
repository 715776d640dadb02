"""What changed of a model is what has other bytes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rony_desktop.contract.hub import HubFile, Quant
from rony_desktop.contract.revision import Revision


def quant(*hashes: str) -> Quant:
    return Quant("Q8_0", tuple(HubFile("m", f"{n}.gguf", 1, h) for n, h in enumerate(hashes)))


def test_another_hash_and_a_new_file_are_changes() -> None:
    revision = Revision(Path("0.gguf"), quant("a", "b"), quant("a", "c", "d"))
    assert [file.name for file in revision.changed] == ["1.gguf", "2.gguf"]
    assert Revision(Path("0.gguf"), quant("a"), quant("a")).changed == ()


def test_where_the_hub_tells_no_hash_only_a_size_does() -> None:
    had, silent = quant("a"), quant("")
    assert Revision(Path("0.gguf"), had, silent).changed == ()
    (file,) = silent.files
    longer = Quant("Q8_0", (replace(file, size_bytes=2),))
    assert Revision(Path("0.gguf"), had, longer).changed == longer.files


def test_an_update_fetches_what_changed() -> None:
    assert Revision(Path("0.gguf"), quant("a", "b"), quant("a", "c", "d")).fetched_bytes == 2
