"""What tuning tried, what it found, and what is used from now on."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

from rony_desktop.contract.speed import Trial, Tuning, Verdict
from rony_desktop.ui.icon import icon
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.number import rate_text
from rony_desktop.ui.speed.words import (
    difference,
    kept,
    percent,
    sentence,
    settings,
    verdict_words,
)
from rony_desktop.ui.theme import Theme

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_COLUMNS = 6
_ROW = 28


class TrialTable(QWidget):
    """The verdict in words, and a row for each setting; a check is before the one in use."""

    def __init__(self, theme: Theme, found: Tuning, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("speed_trials")
        self._theme = theme
        said, meaning = verdict_words(found)
        verdict = plain_label(said, "display", self)
        verdict.setObjectName("speed_verdict")
        means = plain_label(meaning, "quiet", self)
        means.setObjectName("speed_meaning")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(4)
        column.addWidget(verdict)
        column.addWidget(means)
        if found.trials:
            column.addSpacing(8)
            column.addLayout(self._table(found))

    def _table(self, found: Tuning) -> QGridLayout:
        planned, *others = found.trials
        others.sort(key=lambda trial: trial.turn_s)
        # Without a conclusion what was in use stays, which may be of an earlier tuning.
        sure = found.verdict in (Verdict.FASTER, Verdict.KEPT)
        used = kept(found) if sure else None
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(0)
        grid.setColumnMinimumWidth(0, 16)
        grid.setColumnStretch(1, 1)
        grid.setRowMinimumHeight(0, 24)
        words = (self.tr("Reading"), self.tr("Writing"), self.tr("A turn"), self.tr("Noise"))
        for column, word in enumerate((self.tr("Settings"), *words), 1):
            side = _RIGHT if column > 1 else Qt.AlignmentFlag.AlignLeft
            grid.addWidget(self._cell(word, "hint"), 0, column, side)
        for number, trial in enumerate((planned, *others)):
            grid.addWidget(self._hairline(), 2 * number + 1, 0, 1, _COLUMNS)
            self._add(grid, 2 * number + 2, trial, planned, used=trial.changes == used)
        return grid

    def _add(
        self, grid: QGridLayout, row: int, trial: Trial, planned: Trial, *, used: bool
    ) -> None:
        grid.setRowMinimumHeight(row, _ROW)
        name = self._cell(sentence(settings(trial.changes)), "", strong=used)
        name.setWordWrap(True)
        noise = self.tr("one round") if trial.noise >= 1 else percent(trial.noise)
        cells = (
            rate_text(trial.prefill),
            rate_text(trial.decode),
            difference(trial, planned),
            noise,
        )
        if used:
            sign = QLabel(self)
            sign.setPixmap(icon(self._theme, "check", "accent").pixmap(16, 16))
            sign.setAccessibleName(self.tr("In use"))
            sign.setToolTip(self.tr("In use"))
            grid.addWidget(sign, row, 0)
        name.setAccessibleName(", ".join((name.text(), *cells)))
        grid.addWidget(name, row, 1)
        for column, text in enumerate(cells, 2):
            grid.addWidget(self._cell(text, "", strong=used), row, column, _RIGHT)

    def _cell(self, text: str, role: str, *, strong: bool = False) -> QLabel:
        label = plain_label(text, role, self)
        label.setWordWrap(False)
        font = self._theme.figures("small" if role == "hint" else "label")
        if strong:
            font.setWeight(font.Weight.DemiBold)
        label.setFont(font)
        return label

    def _hairline(self) -> QFrame:
        line = QFrame(self)
        line.setObjectName("speed_hairline")
        line.setFixedHeight(1)
        return line
