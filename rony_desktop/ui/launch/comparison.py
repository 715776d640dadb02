"""Planned beside taken, a line for each value."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from rony_desktop.ui.label import plain_label
from rony_desktop.ui.launch.taken import Taken, Value
from rony_desktop.ui.number import count_text, gigabytes
from rony_desktop.ui.speed.words import DASH
from rony_desktop.ui.theme import Theme


class Comparison(QWidget):
    """Three lines at most: context, layers on the GPU, memory."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("launch_taken")
        self._rows: dict[Value, tuple[QLabel, QLabel, QLabel]] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 1)
        self._heads = plain_label("", "hint"), plain_label("", "hint")
        self._heads[0].setText(self.tr("Planned"))
        self._heads[1].setText(self.tr("Taken by the engine"))
        names = {
            Value.CONTEXT: self.tr("Context"),
            Value.LAYERS: self.tr("Layers on the GPU"),
            Value.MEMORY: self.tr("Memory, without the prompt cache"),
        }
        for column, head in enumerate(self._heads, 1):
            head.setAlignment(Qt.AlignmentFlag.AlignRight)
            head.setWordWrap(False)
            grid.addWidget(head, 0, column)
        for row, (value, name) in enumerate(names.items(), 1):
            cells = plain_label(name, "quiet", self), QLabel(self), QLabel(self)
            for column, cell in enumerate(cells):
                grid.addWidget(cell, row, column)
            for cell in cells[1:]:
                cell.setFont(theme.figures("label"))
                cell.setAlignment(Qt.AlignmentFlag.AlignRight)
            self._rows[value] = cells

    def show_values(self, values: Sequence[Taken], *, running: bool) -> None:
        """Show what was planned, and beside it what was taken where an engine runs."""
        by_value = {each.value: each for each in values}
        self._heads[1].setVisible(running)
        for value, cells in self._rows.items():
            each = by_value.get(value)
            for cell in cells:
                cell.setVisible(each is not None)
            cells[2].setVisible(each is not None and running)
            if each:
                cells[1].setText(self._said(each, each.planned))
                cells[2].setText(self._said(each, each.taken))
                name = f"{cells[0].text()}: "
                cells[1].setAccessibleName(f"{name}{self._heads[0].text()} {cells[1].text()}")
                cells[2].setAccessibleName(f"{name}{self._heads[1].text()} {cells[2].text()}")

    def _said(self, each: Taken, number: int | None) -> str:
        if number is None:
            return DASH
        if each.value is Value.MEMORY:
            return gigabytes(number, 2)
        if each.value is Value.LAYERS:
            return self.tr("{0} of {1}").format(number, each.of)
        return self.tr("{0} tokens").format(count_text(number))
