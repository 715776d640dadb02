"""A predicted speed as three figures, and what it rests on."""

from __future__ import annotations

from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from rony_desktop.contract.speed import Speed
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.plan.words import basis_words
from rony_desktop.ui.speed.words import DASH, rate_range, time_range
from rony_desktop.ui.theme import Theme


class SpeedFigures(QWidget):
    """Reading, writing and the first word."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("plan_speed")
        self._values: list[QLabel] = []
        self._basis = plain_label("", "hint", self)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(0)
        names = (self.tr("Reads"), self.tr("Writes"), self.tr("First word after"))
        for column, name in enumerate(names):
            value = QLabel(DASH, self)
            font = theme.figures("body")
            font.setWeight(theme.font(strong=True).weight())
            value.setFont(font)
            grid.addWidget(plain_label(name, "hint", self), 0, column)
            grid.addWidget(value, 1, column)
            grid.setColumnStretch(column, 1)
            self._values.append(value)
        grid.setRowMinimumHeight(2, 4)
        grid.addWidget(self._basis, 3, 0, 1, 3)

    def show_speed(self, speed: Speed | None) -> None:
        """Show a prediction; None: there is none."""
        texts = (DASH, DASH, DASH)
        if speed:
            texts = (
                rate_range(speed.prefill),
                rate_range(speed.decode),
                time_range(speed.first_token_s),
            )
        for value, text in zip(self._values, texts, strict=True):
            value.setText(text)
        said = basis_words(speed.basis) if speed else self.tr("There is no prediction yet.")
        self._basis.setText(said)
        if speed:
            said = self.tr("Reads {0}, writes {1}, first word after {2}.").format(*texts)
        self.setAccessibleName(said)
