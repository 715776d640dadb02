"""A well that shows what a call would change in a file, hunk by hunk."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QWidget

from rony_desktop.contract.approval import FileChange
from rony_desktop.ui.approval.box import CheckBox
from rony_desktop.ui.approval.canvas import DiffCanvas
from rony_desktop.ui.approval.end import EndWatch, go_by_key
from rony_desktop.ui.approval.text import HEIGHT
from rony_desktop.ui.theme import Theme

CHOICES = 200  # hunks that can be taken one by one; more are taken or refused together
_EDGE = 4  # left of a check box
_BORDER = 2  # the well's own, all around


class DiffView(QScrollArea):
    """Only the rows in sight are painted; a check box stands above each of several hunks."""

    chosen = Signal()
    endSeen = Signal()  # noqa: N815 - Qt's naming of signals

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("approval_diff")
        self.setProperty("look", "well")
        self.setAccessibleName(self.tr("Changes to the file"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._canvas = DiffCanvas(theme)
        self._end = EndWatch(self, self._canvas)
        self._end.came.connect(self.endSeen)
        self._canvas.completed.connect(self._end.complete)
        self._canvas.headed.connect(self._place)
        self.setWidget(self._canvas)
        self._boxes: list[CheckBox] = []

    @property
    def seen(self) -> bool:
        """Whether its end was on the screen."""
        return self._end.seen

    @property
    def taken(self) -> tuple[int, ...] | None:
        """Indexes of the hunks that are taken; None where all are."""
        taken = tuple(n for n, box in enumerate(self._boxes) if box.isChecked())
        return None if len(taken) == len(self._boxes) else taken

    def show_change(self, change: FileChange) -> None:
        """Show another change from its beginning; every hunk is taken."""
        self._end.reset()
        for box in self._boxes:
            box.hide()
            box.deleteLater()
        several = 1 < len(change.hunks) <= CHOICES
        self._boxes = [self._box(number) for number in range(len(change.hunks) * several)]
        for before, after in pairwise((self, *self._boxes)):
            QWidget.setTabOrder(before, after)
        self._canvas.show_change(change, len(change.hunks) > 1)
        for number, box in enumerate(self._boxes):
            box.setAccessibleDescription(self._canvas.words(number))
        self.verticalScrollBar().setValue(0)
        self.setAccessibleDescription(self._canvas.words())
        self.updateGeometry()

    def _box(self, number: int) -> CheckBox:
        box = CheckBox(self._theme, self.tr("Take this change"), self._canvas)
        box.setObjectName(f"hunk_{number}")
        box.setAccessibleName(self.tr("Take change {0}").format(number + 1))
        box.setChecked(True)
        box.toggled.connect(lambda taken: self._choose(number, taken))
        box.hide()
        return box

    def _choose(self, number: int, taken: bool) -> None:
        self._canvas.set_taken(number, taken)
        self.chosen.emit()

    def _place(self, number: int, top: int) -> None:
        if number < len(self._boxes):
            box = self._boxes[number]
            box.setGeometry(_EDGE, top + 2, box.sizeHint().width(), box.sizeHint().height())
            box.show()

    def heightForWidth(self, width: int) -> int:
        """As high as its rows, up to where it scrolls."""
        return min(HEIGHT, self._canvas.height_at(width - 2 * _BORDER, HEIGHT) + 2 * _BORDER)

    def sizeHint(self) -> QSize:
        """As high as it needs at the width it has."""
        return QSize(320, self.heightForWidth(max(320, self.width())))

    def minimumSizeHint(self) -> QSize:
        """Room for a few rows."""
        return QSize(120, 60)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the lines at another width."""
        super().resizeEvent(event)
        self._canvas.fit(self.viewport().width())
        if event.oldSize().width() != event.size().width():
            self.updateGeometry()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the beginning and the end by Home and End."""
        if not go_by_key(self.verticalScrollBar(), event):
            super().keyPressEvent(event)
