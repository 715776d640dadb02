"""What was measured, beside what was predicted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from rony_desktop.contract.speed import Measured, Rate, Speed
from rony_desktop.ui.dot import joined
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.number import count_text, rate_text
from rony_desktop.ui.speed.note import Note
from rony_desktop.ui.speed.span import Reading, SpanBar
from rony_desktop.ui.speed.words import (
    basis_words,
    judged,
    percent,
    rate_range,
    sentence,
    time_range,
    time_text,
)
from rony_desktop.ui.theme import Theme

if TYPE_CHECKING:
    from rony_desktop.app.bench import Benchmarked

NOISY = 0.1  # repeats that differ by more tell little
_MARGIN = 1.1  # of the largest number: the end of a bar
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class _Line(NamedTuple):
    """One value of one prompt length; timed says that it is in seconds."""

    name: str
    reading: Reading
    timed: bool

    @property
    def spread(self) -> float:
        """By how much the repeats differ, as a part of the most."""
        return 1 - self.reading.low / self.reading.high if self.reading.high else 0.0


class ResultTable(QWidget):
    """One sentence, and a table: the longest prompt first, for it is what was predicted."""

    def __init__(self, theme: Theme, found: Benchmarked, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("speed_result")
        self._theme = theme
        runs = sorted(found.runs, key=lambda run: run.prompt_tokens, reverse=True)
        sections = [
            (run, self._lines(run, found.predicted if run is runs[0] else None)) for run in runs
        ]
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(4)
        for label in self._summary(runs[0], sections[0][1], found.predicted):
            column.addWidget(label)
        column.addSpacing(8)
        column.addLayout(self._table(sections))
        worst = max(line.spread for _, lines in sections for line in lines if not line.timed)
        if worst > NOISY:
            column.addSpacing(8)
            column.addWidget(self._noise(worst))

    def _summary(self, run: Measured, lines: list[_Line], predicted: Speed) -> Iterator[QLabel]:
        read, write = rate_text(run.prefill.median), rate_text(run.decode.median)
        first = plain_label(self.tr("Reads {0}, writes {1}").format(read, write), "display", self)
        first.setObjectName("speed_summary")
        yield first
        label = plain_label(f"{_outcome(lines)}. {basis_words(predicted.basis)}", "quiet", self)
        label.setObjectName("speed_outcome")
        yield label

    def _lines(self, run: Measured, predicted: Speed | None) -> list[_Line]:
        firsts = sorted(sample.first_token_s for sample in run.samples)
        first = Reading(
            firsts[0],
            firsts[len(firsts) // 2],
            firsts[-1],
            predicted.first_token_s if predicted else None,
        )
        prefill, decode = (predicted.prefill, predicted.decode) if predicted else (None, None)
        return [
            _Line(self.tr("Reading"), Reading(*_ends(run.prefill), prefill), False),
            _Line(self.tr("Writing"), Reading(*_ends(run.decode), decode), False),
            _Line(self.tr("First word"), first, True),
        ]

    def _table(self, sections: list[tuple[Measured, list[_Line]]]) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        heads = (self.tr("Predicted"), self.tr("Measured"), self.tr("Repeats differ"))
        for column, head in enumerate(heads, 2):
            grid.addWidget(self._cell(head, "hint"), 0, column, _RIGHT)
        # One scale for the same value of every length, so that their bars can be compared.
        most = [
            _MARGIN * max(lines[number].reading.reach for _, lines in sections)
            for number in range(3)
        ]
        row = 1
        for run, lines in sections:
            words = self.tr("{0} tokens read, {1} written").format(
                count_text(run.prompt_tokens), count_text(run.written_tokens)
            )
            if row > 1:
                grid.setRowMinimumHeight(row, 8)
                row += 1
            place = (0, 0, 1, 2) if row == 1 else (row, 0, 1, 5)
            grid.addWidget(self._cell(words, "hint"), *place)
            for line, end in zip(lines, most, strict=True):
                row += 1
                self._add(grid, row, line, end)
            row += 1
        return grid

    def _add(self, grid: QGridLayout, row: int, line: _Line, end: float) -> None:
        reading, span = line.reading, line.reading.predicted
        text, ranged = (time_text, time_range) if line.timed else (rate_text, rate_range)
        measured = self._cell(text(reading.value), "" if reading.inside else "warn")
        bar = SpanBar(self._theme, reading, end, self)
        spoken = self.tr("{0}: measured {1}").format(line.name, measured.text())
        if span is not None:
            how = judged(span, reading.value, less_is_better=line.timed)
            spoken += self.tr(", predicted {0}: {1}").format(ranged(span), how)
        bar.setAccessibleName(spoken)
        bar.setToolTip(spoken)
        grid.addWidget(self._cell(line.name, ""), row, 0)
        grid.addWidget(bar, row, 1)
        grid.addWidget(self._cell(ranged(span) if span else "", "quiet"), row, 2, _RIGHT)
        grid.addWidget(measured, row, 3, _RIGHT)
        grid.addWidget(self._cell(percent(line.spread), "quiet"), row, 4, _RIGHT)

    def _cell(self, text: str, role: str) -> QLabel:
        label = plain_label(text, role, self)
        label.setWordWrap(False)
        label.setFont(self._theme.figures("small" if role == "hint" else "label"))
        return label

    def _noise(self, worst: float) -> Note:
        words = self.tr(
            "Repeats differ by {0}: other programs were busy. Close them and measure again."
        ).format(percent(worst))
        note = Note(self._theme, "triangle-alert", "warn", self)
        note.setObjectName("speed_noise")
        note.set_text(words)
        return note


def _outcome(lines: list[_Line]) -> str:
    """What differs from its prediction, each with its name where not all of it does alike."""
    found = {
        line.name: judged(span, line.reading.value, less_is_better=line.timed)
        for line in lines
        if (span := line.reading.predicted)
    }
    words = set(found.values())
    if len(words) == 1:
        return sentence(words.pop())
    outside = [line.name for line in lines if not line.reading.inside]
    return joined(f"{name} {found[name]}" for name in outside)


def _ends(rate: Rate) -> tuple[float, float, float]:
    return rate.best * (1 - rate.spread), rate.median, rate.best
