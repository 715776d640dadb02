"""Speeds, ranges, settings and verdicts read as a person would say them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rony_desktop.contract.speed import Basis, Span, Trial, Tuning, Verdict
from rony_desktop.ui.speed.presenter import Job, Progress
from rony_desktop.ui.speed.words import (
    basis_words,
    difference,
    judged,
    kept,
    percent,
    progress_words,
    rate_range,
    sentence,
    setting,
    settings,
    time_range,
    time_text,
    verdict_words,
)
from tests.fixture.speed import launch

THIN, DASH = "\u2009", "\u2013"
PLANNED = Trial({}, 100.0, 10.0, 10.0, 0.02)
OTHER = Trial({"threads": 4}, 100.0, 12.0, 8.0, 0.03)


def test_numbers_have_units() -> None:
    assert rate_range(Span(27, 24.2, 31.1)) == f"24{DASH}31{THIN}tok/s"
    assert rate_range(Span(5, 4.21, 5.58)) == f"4.2{DASH}5.6{THIN}tok/s"
    assert rate_range(Span(27, 27, 27.1)) == f"27{THIN}tok/s"
    assert time_text(0.347) == f"347{THIN}ms"
    assert time_text(1.24) == f"1.2{THIN}s"
    assert time_range(Span(0.2, 0.16, 0.21)) == f"160{DASH}210{THIN}ms"
    assert time_range(Span(1, 0.9, 1.3)) == f"0.9{DASH}1.3{THIN}s"
    assert percent(0.043) == f"4{THIN}%"


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("threads", 2, "2 threads for writing"),
        ("threads_batch", 4, "4 threads for reading"),
        ("n_ubatch", 128, "batches of 128 tokens"),
        ("flash_attn", "off", "without flash attention"),
        ("flash_attn", "on", "with flash attention"),
        ("repack", False, "weights as in the file"),
        ("repack", True, "weights in the engine's layout"),
        ("later", 7, "later 7"),
    ],
)
def test_settings_are_words(name: str, value: object, words: str) -> None:
    assert setting(name, value) == words


def test_several_settings_and_none() -> None:
    assert settings({}) == "the planned settings"
    assert settings({"threads": 2, "repack": False}) == (
        "2 threads for writing, weights as in the file"
    )
    assert sentence("abc") == "Abc"


@pytest.mark.parametrize(
    ("value", "timed", "words"),
    [
        (2, False, "as predicted"),
        (4, False, "faster than predicted"),
        (4, True, "slower than predicted"),
        (0.5, False, "slower than predicted"),
        (0.5, True, "faster than predicted"),
    ],
)
def test_a_value_is_judged_by_its_range(value: float, timed: bool, words: str) -> None:
    assert judged(Span(2, 1, 3), value, less_is_better=timed) == words


def test_a_difference_is_faster_slower_or_none() -> None:
    assert difference(PLANNED, PLANNED) == DASH
    assert difference(OTHER, PLANNED) == f"20{THIN}% faster"
    assert difference(replace(OTHER, turn_s=11.0), PLANNED) == f"10{THIN}% slower"
    assert difference(replace(OTHER, turn_s=10.01), PLANNED) == "the same"


def test_every_verdict_says_what_it_means() -> None:
    trials = PLANNED, OTHER
    faster = Tuning(Verdict.FASTER, launch(threads=4), 0.2, 0.02, trials)
    assert kept(faster) == {"threads": 4}
    assert verdict_words(faster) == (
        f"20{THIN}% faster",
        "Used from now on: 4 threads for writing.",
    )
    stayed = replace(faster, verdict=Verdict.KEPT, launch=launch())
    assert kept(stayed) == {}
    said = [verdict_words(replace(stayed, verdict=verdict)) for verdict in Verdict]
    assert len({first for first, _ in said}) == len(Verdict)
    noisy = verdict_words(replace(stayed, verdict=Verdict.NOISY, noise=0.18))
    assert f"18{THIN}%" in noisy[1]


def test_progress_counts_from_one_and_names_what_is_tried() -> None:
    tune = Progress(Job.TUNE, 4, 21, {"threads_batch": 2})
    assert progress_words(Progress(Job.MEASURE)) == "Starting the engine"
    assert progress_words(Progress(Job.MEASURE, 2, 6)) == "3 of 6"
    assert progress_words(Progress(Job.MEASURE, 6, 6)) == "Loading the model again"
    assert progress_words(tune) == "5 of 21 · 2 threads for reading"
    assert progress_words(replace(tune, changes={})) == "5 of 21 · the planned settings"
    assert progress_words(replace(tune, stopping=True)).startswith("Stopping")


def test_every_basis_has_words() -> None:
    assert len({basis_words(basis) for basis in Basis}) == len(Basis)
