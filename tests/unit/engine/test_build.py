"""Installed builds are found by their pages, and what is not whole is none."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from rony_desktop.contract.build import Build, Source, Variant
from rony_desktop.engine.build import PAGE, candidate, installed, write_page


def put(folder: Path, number: int, variant: Variant = Variant.CPU, name: str = "") -> Build:
    home = folder / (name or f"b{number}-{variant}")
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "llama-server").touch()
    build = Build(number, variant, home / "bin" / "llama-server", pinned=True)
    write_page(home, build, "bin/llama-server")
    return build


def test_the_newest_comes_first(tmp_path: Path) -> None:
    builds = [put(tmp_path, 9), put(tmp_path, 10, Variant.VULKAN), put(tmp_path, 10)]
    assert installed(tmp_path) == (builds[2], builds[1], builds[0])
    assert installed(tmp_path / "gone") == ()


@pytest.mark.parametrize(
    "change",
    [
        {"program": "bin/gone"},
        {"program": "../b10-cpu/bin/llama-server"},
        {"program": "/bin/sh"},
        {"program": None},
        {"build": "x"},
        {"build": 10},
        {"build": float("inf")},
        {"variant": "quantum"},
    ],
)
def test_a_page_that_cannot_be_true_is_none(tmp_path: Path, change: dict[str, object]) -> None:
    good = put(tmp_path, 10)
    put(tmp_path, 9)
    page = tmp_path / "b9-cpu" / PAGE
    page.write_text(json.dumps(json.loads(page.read_text()) | change))
    assert installed(tmp_path) == (good,)


@pytest.mark.parametrize("text", ["", "[1]", "{", "[" * 60_000, " " * 70_000])
def test_a_damaged_page_is_none(tmp_path: Path, text: str) -> None:
    put(tmp_path, 9)
    (tmp_path / "b9-cpu" / PAGE).write_text(text)
    assert installed(tmp_path) == ()


def test_what_is_being_installed_is_none(tmp_path: Path) -> None:
    put(tmp_path, 9, name=".staging-b9-cpu-0000")
    put(tmp_path, 9, name="b9-cpu copy")
    assert installed(tmp_path) == ()


def test_as_an_engine(tmp_path: Path) -> None:
    found = candidate(put(tmp_path, 9860, Variant.VULKAN))
    assert (found.source, found.build) == (Source.INSTALLED, "b9860")
    assert found.label == "llama.cpp b9860 (vulkan)"
    assert found.argv == (str(tmp_path / "b9860-vulkan/bin/llama-server"),)
    if sys.platform == "linux":
        assert found.env == {"LD_LIBRARY_PATH": str(tmp_path / "b9860-vulkan/bin")}
