"""What the page of builds says of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.app.install import InUse
from rony_desktop.contract.build import Archive, Build, Release, Source, Variant
from rony_desktop.ui.engine.presenter import Deed, Work
from rony_desktop.ui.engine.words import (
    in_use_words,
    release_words,
    source_words,
    suits_words,
    title,
    trust_words,
    variant_word,
    work_words,
)

pytestmark = pytest.mark.ui
MIB = 1 << 20


def release(size_bytes: int) -> Release:
    archive = Archive("a", "u", "h", size_bytes)
    return Release(9860, Variant.CUDA, (archive,), pinned=True)


def test_every_code_has_words_of_its_own() -> None:
    for kind, words in ((Variant, variant_word), (Variant, suits_words), (Source, source_words)):
        found = [words(code) for code in kind]  # type: ignore[operator]
        assert all(found)
        assert len(set(found)) == len(found)


def test_a_build_is_called_by_number_and_kind() -> None:
    build = Build(9860, Variant.VULKAN, Path("/x"), pinned=True)
    assert title(build) == "b9860 · Vulkan"


def test_a_release_says_whom_it_suits_and_its_size_where_it_is_known() -> None:
    assert release_words(release(612 * MIB)) == "For NVIDIA graphics · 612\u2009MB to download"
    assert release_words(release(0)) == "For NVIDIA graphics"
    assert release_words(release(2048 * MIB)).endswith(" 2.0\u2009GB to download")


def test_only_a_hash_that_is_not_ours_needs_a_word() -> None:
    assert trust_words(pinned=True) == ""
    assert "vouches" in trust_words(pinned=False)


@pytest.mark.parametrize(
    ("in_use", "words"),
    [
        (
            InUse("llama.cpp b9860 (cuda)", "b9860", Source.INSTALLED, outdated=False),
            "Installed here",
        ),
        (
            InUse("llama-server", "9860", Source.PATH, outdated=False),
            "Found on this computer · build b9860",
        ),
        (
            InUse("x", "unknown", Source.BUNDLE, outdated=False),
            "Came with the program · its build is not known",
        ),
    ],
)
def test_the_engine_in_use_says_its_build_once(in_use: InUse, words: str) -> None:
    assert in_use_words(in_use) == words


@pytest.mark.parametrize(
    ("work", "words"),
    [
        (Work(Deed.LOOK), ""),
        (Work(Deed.SEARCH), "Asking the site"),
        (Work(Deed.USE, "b"), "Trying"),
        (Work(Deed.INSTALL, "b"), "Asking for it"),
        (Work(Deed.INSTALL, "b", 10 * MIB, 40 * MIB), "10\u2009MB of 40\u2009MB"),
        (Work(Deed.INSTALL, "b", 40 * MIB, 40 * MIB), "Unpacking"),
        (Work(Deed.INSTALL, "b", 10, 40, stopping=True), "Stopping"),
    ],
)
def test_a_deed_says_how_far_it_is(work: Work, words: str) -> None:
    assert work_words(work).startswith(words)
    assert bool(work_words(work)) is bool(words)
