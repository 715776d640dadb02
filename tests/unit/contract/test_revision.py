"""What changed of a model is what has other bytes."""

from __future__ import annotations

from pathlib import Path

from rony_desktop.contract.hub import HubFile, Quant
from rony_desktop.contract.revision import Revision


def quant(*hashes: str) -> Quant:
    return Quant("Q8_0", tuple(HubFile("m", f"{n}.gguf", 1, h) for n, h in enumerate(hashes)))


def test_another_hash_and_a_new_file_are_changes() -> None:
    revision = Revision(Path("0.gguf"), quant("a", "b"), quant("a", "c", "d"))
    assert [file.name for file in revision.changed] == ["1.gguf", "2.gguf"]
    assert Revision(Path("0.gguf"), quant("a"), quant("a")).changed == ()
