"""Sizes of memory: a unit, or MiB."""

from __future__ import annotations

import argparse

import pytest

from rony_desktop.cli.size import MIB, mib, size


@pytest.mark.parametrize("text", ["8GiB", "8G", "8GB", "8 gib", "8192", "8192M", "8388608k"])
def test_the_same_size_in_many_words(text: str) -> None:
    assert size(text) == 8192 * MIB


def test_fractions_and_nothing() -> None:
    assert size("1.5G") == 1536 * MIB
    assert size("0") == 0
    assert size("1T") == 1 << 40


@pytest.mark.parametrize("text", ["", "much", "-1", "8X", "8 B", "8b", "1e9", "G", "8GiBi"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        size(text)


def test_a_size_is_read_with_its_thousands() -> None:
    assert mib(23_165 * MIB) == "23,165 MiB"
    assert mib(-MIB) == "-1 MiB"
