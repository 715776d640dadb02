"""One memory: its name and size, its bar, its legend, and all of it in words."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from rony_desktop.ui.dot import joined
from rony_desktop.ui.label import ElidedLabel
from rony_desktop.ui.number import gigabytes
from rony_desktop.ui.plan.bar import MemoryBar
from rony_desktop.ui.plan.legend import Legend
from rony_desktop.ui.plan.segment import Stack
from rony_desktop.ui.plan.words import part_word
from rony_desktop.ui.theme import Theme


class Gauge(QWidget):
    """Shows how a launch divides a memory."""

    def __init__(self, theme: Theme, title: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._title = title
        self._name = ElidedLabel(self)
        self._over = ElidedLabel(self)
        self._over.setFont(theme.figures("label"))
        self._over.setProperty("role", "danger")
        self._total = ElidedLabel(self)
        self._total.setFont(theme.figures("label"))
        self._total.setProperty("role", "quiet")
        self._bar = MemoryBar(theme, self)
        self._bar.setObjectName(f"{name}_bar")
        self._legend = Legend(theme, self)
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(self._name, 1)
        head.addWidget(self._over, 0)
        head.addWidget(self._total, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self._bar)
        column.addWidget(self._legend)
        for label in (self._over, self._total):
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def show_stack(self, stack: Stack) -> None:
        """Show another division."""
        title = joined((self._title, stack.name))
        over = self.tr("{0} too much").format(gigabytes(stack.over_bytes))
        self._name.setText(title)
        self._total.setText(gigabytes(stack.total_bytes))
        self._over.setText(over)
        self._over.setVisible(bool(stack.over_bytes))
        self._bar.show_stack(stack)
        self._legend.show_segments(stack.segments)
        parts = [f"{part_word(s.part)} {gigabytes(s.size_bytes)}" for s in stack.segments]
        said = ", ".join([*parts, over] if stack.over_bytes else parts)
        self._bar.setAccessibleName(f"{title}, {gigabytes(stack.total_bytes)}")
        self._bar.setAccessibleDescription(said)
        self._bar.setToolTip(said)
