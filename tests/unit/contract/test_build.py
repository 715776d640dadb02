"""Builds are called by number and variant, and know what is downloaded for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.contract.build import Archive, Build, Release, Variant


@pytest.mark.parametrize(("sizes", "total"), [((3, 4), 7), ((3, 0), 0), ((0,), 0)])
def test_a_size_is_known_where_all_are(sizes: tuple[int, ...], total: int) -> None:
    archives = tuple(Archive("a", "https://h/a", "00", size) for size in sizes)
    assert Release(9, Variant.CUDA, archives, pinned=True).size_bytes == total


def test_one_name_before_and_after() -> None:
    release = Release(9860, Variant.VULKAN, (), pinned=True)
    assert release.id == Build(9860, Variant.VULKAN, Path("x"), pinned=True).id == "b9860-vulkan"
