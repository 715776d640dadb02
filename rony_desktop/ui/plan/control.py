"""One value of a launch: its name, what sets it, whose choice it is, and why it is so."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QStackedWidget, QWidget

from rony_desktop.ui.button import push_button
from rony_desktop.ui.label import plain_label

_NAME = 124
_MARK = 76


class ControlRow(QWidget):
    """Says whose choice a value is; resetRequested gives it back to the plan."""

    resetRequested = Signal()  # noqa: N815 - Qt's naming of signals

    def __init__(self, title: str, name: str, control: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self.control = control
        label = QLabel(title, self)
        label.setBuddy(control)
        label.setFixedWidth(_NAME)
        self._mark = plain_label("", "hint", self)
        self._mark.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._reset = push_button(self.tr("Reset"), "outline", f"{name}_reset", self)
        self._reset.setFixedHeight(28)
        self._reset.setAccessibleName(self.tr("Leave to the plan: {0}").format(title))
        self._reset.setToolTip(self.tr("Leave to the plan"))
        self._reset.clicked.connect(self._give_back)
        self._whose = QStackedWidget(self)
        self._whose.setFixedSize(_MARK, 32)
        self._whose.addWidget(self._mark)
        self._whose.addWidget(_centred(self._reset))
        self._why = plain_label("", "hint", self)
        self._why.setObjectName(f"{name}_why")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.addWidget(label, 0, 0)
        grid.addWidget(control, 0, 1)
        grid.addWidget(self._whose, 0, 2)
        grid.addWidget(self._why, 1, 1, 1, 2)
        grid.setColumnStretch(1, 1)

    def show_choice(self, *, given: bool, whose: str, why: str) -> None:
        """Say whose choice the value is, and why it is so."""
        self._mark.setText(whose)
        self._whose.setCurrentIndex(int(given))
        self._why.setText(why)

    def touched(self) -> None:
        """The user has just set it; the plan that says why is being made."""
        self._whose.setCurrentIndex(1)

    def _give_back(self) -> None:
        # The button goes away, and the focus would go with it to wherever Qt likes.
        self.control.setFocus()
        self.resetRequested.emit()


def _centred(widget: QWidget) -> QWidget:
    outside = QWidget()
    grid = QGridLayout(outside)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.addWidget(widget, 0, 0, Qt.AlignmentFlag.AlignCenter)
    return outside
