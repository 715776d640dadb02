"""What was measured stands beside what was predicted, the longest prompt first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from rony_desktop.app.bench import Benchmarked
from rony_desktop.contract.llm import Timings
from rony_desktop.contract.speed import Basis, Measured, Rate, Sample, Span, Speed
from rony_desktop.ui.speed.note import Note
from rony_desktop.ui.speed.result import ResultTable
from rony_desktop.ui.speed.span import SpanBar
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
THIN, DASH = "\u2009", "\u2013"
PREDICTED = Speed(Span(480, 430, 520), Span(27, 24, 31), Span(1.2, 1.0, 1.4), Basis.MACHINE)


def measured(tokens: int, decode: float = 26.4, spread: float = 0.02) -> Measured:
    samples = tuple(Sample(Timings(), first) for first in (1.25, 1.15, 1.2))
    rates = Rate(490.0, 480.0, spread), Rate(decode + 0.2, decode, spread)
    return Measured(tokens, 48, *rates, 1.15, samples)


@pytest.fixture
def shown(theme: Theme, qtbot: QtBot) -> Callable[..., ResultTable]:
    def show(*runs: Measured) -> ResultTable:
        table = ResultTable(theme, Benchmarked(PREDICTED, runs))
        qtbot.addWidget(table)
        table.show()
        return table

    return show


def bars(table: ResultTable) -> list[str]:
    return [bar.accessibleName() for bar in table.findChildren(SpanBar)]


def test_predicted_and_measured_are_side_by_side(
    shown: Callable[..., ResultTable], child: Find
) -> None:
    table = shown(measured(160), measured(545))
    assert child(table, QLabel, "speed_summary").text() == (
        f"Reads 480{THIN}tok/s, writes 26.4{THIN}tok/s"
    )
    assert child(table, QLabel, "speed_outcome").text().startswith("As predicted. ")
    assert bars(table) == [
        f"Reading: measured 480{THIN}tok/s, predicted 430{DASH}520{THIN}tok/s: as predicted",
        f"Writing: measured 26.4{THIN}tok/s, predicted 24{DASH}31{THIN}tok/s: as predicted",
        f"First word: measured 1.2{THIN}s, predicted 1.0{DASH}1.4{THIN}s: as predicted",
        f"Reading: measured 480{THIN}tok/s",
        f"Writing: measured 26.4{THIN}tok/s",
        f"First word: measured 1.2{THIN}s",
    ]
    texts = [label.text() for label in table.findChildren(QLabel)]
    assert texts.index("545 tokens read, 48 written") < texts.index("160 tokens read, 48 written")
    assert table.findChild(Note, "speed_noise") is None


def test_what_is_otherwise_than_predicted_is_named(
    shown: Callable[..., ResultTable], child: Find
) -> None:
    table = shown(measured(545, decode=20.0))
    outcome = child(table, QLabel, "speed_outcome").text()
    assert outcome.startswith("Writing slower than predicted. ")
    slow = next(label for label in table.findChildren(QLabel) if label.text() == f"20.0{THIN}tok/s")
    assert slow.property("role") == "warn"


def test_repeats_that_differ_much_are_pointed_out(
    shown: Callable[..., ResultTable], child: Find
) -> None:
    table = shown(measured(545, spread=0.23))
    assert child(table, Note, "speed_noise").text().startswith(f"Repeats differ by 23{THIN}%")
