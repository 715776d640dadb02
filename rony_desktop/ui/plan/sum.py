"""The sum of a plan as columns of lines: what is needed, and what each memory has."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

from rony_desktop.contract.plan import PlanResult
from rony_desktop.ui.dress import dress
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.number import gigabytes
from rony_desktop.ui.plan.ledger import RESULTS, Item, Line, computer, device, needed
from rony_desktop.ui.plan.words import item_words
from rony_desktop.ui.theme import Theme

_WIDE = 560  # pixels from which two columns have room beside each other


class Ledger(QFrame):
    """A heading over lines of names and sizes."""

    def __init__(self, theme: Theme, title: str, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._labels: list[tuple[QLabel, QLabel]] = []
        heading = plain_label(title, "", self)
        heading.setFont(theme.font("label", strong=True))
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(0, 1)
        self._grid.addWidget(heading, 0, 0, 1, 2)

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Show a sum; labels are kept from one to the next."""
        while len(self._labels) < len(lines):
            self._add()
        for index, (name, size) in enumerate(self._labels):
            name.setVisible(index < len(lines))
            size.setVisible(index < len(lines))
        for (name, size), line in zip(self._labels, lines, strict=False):
            self._show(name, size, line)
        self.setVisible(bool(lines))

    def text(self) -> str:
        """The lines as they are read."""
        shown = (pair for pair in self._labels if not pair[0].isHidden())
        return "\n".join(f"{name.text()}: {size.text()}" for name, size in shown)

    def _add(self) -> None:
        pair = plain_label("", "", self), QLabel("", self)
        row = len(self._labels) + 1
        for column, label in enumerate(pair):
            self._grid.addWidget(label, row, column)
        pair[1].setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        self._labels.append(pair)

    def _show(self, name: QLabel, size: QLabel, line: Line) -> None:
        strong = line.item in RESULTS
        name.setText(item_words(line.item))
        minus = "\u2212" if line.size_bytes < 0 else ""
        size.setText(f"{minus}{gigabytes(abs(line.size_bytes), 2)}")
        role = "danger" if line.item is Item.OVER else "" if strong else "quiet"
        for label in (name, size):
            dress(label, "role", role)
        # Polishing forgets a font that was set before.
        figures = self._theme.figures("label")
        figures.setWeight(self._theme.font("label", strong=strong).weight())
        size.setFont(figures)
        name.setFont(self._theme.font("label", strong=strong))


class Sum(QWidget):
    """Two columns where there is room, else one below the other."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._needed = Ledger(theme, self.tr("Needed"), "plan_needed", self)
        self._computer = Ledger(theme, self.tr("In the computer's memory"), "plan_ram", self)
        self._device = Ledger(theme, self.tr("On the GPU"), "plan_vram", self)
        there = QVBoxLayout()
        there.setSpacing(16)
        there.addWidget(self._computer)
        there.addWidget(self._device)
        there.addStretch(1)
        left = QVBoxLayout()
        left.addWidget(self._needed)
        left.addStretch(1)
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._columns.setContentsMargins(0, 0, 0, 0)
        self._columns.setSpacing(32)
        self._columns.addLayout(left, 1)
        self._columns.addLayout(there, 1)

    def show_plan(self, plan: PlanResult) -> None:
        """Show the sum of a plan."""
        self._needed.show_lines(needed(plan))
        self._computer.show_lines(computer(plan))
        self._device.show_lines(device(plan))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stand beside or below each other, as there is room."""
        super().resizeEvent(event)
        wide = event.size().width() >= _WIDE
        way = QBoxLayout.Direction
        self._columns.setDirection(way.LeftToRight if wide else way.TopToBottom)
        self._columns.setSpacing(32 if wide else 16)
