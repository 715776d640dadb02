"""One line about the health of the model that is shown, and the button that checks it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from rony_desktop.ui.button import push_button
from rony_desktop.ui.dress import dress
from rony_desktop.ui.error import words
from rony_desktop.ui.installed.health import HealthState
from rony_desktop.ui.installed.words import health_words
from rony_desktop.ui.label import ElidedLabel, plain_tip
from rony_desktop.ui.room import keep_room
from rony_desktop.ui.speed.meter import Meter
from rony_desktop.ui.theme import Theme


class HealthLine(QWidget):
    """Says what a check found, how far one is, or what went wrong with it."""

    checkRequested = Signal()  # noqa: N815 - Qt's naming of signals
    cancelRequested = Signal()  # noqa: N815

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("installed_health")
        self._state = HealthState()
        self._usable = True
        self._words = ElidedLabel(self)
        self._words.setObjectName("installed_health_words")
        self._button = push_button("", "small", "installed_check", self)
        self._button.setFixedHeight(24)
        self._button.clicked.connect(self._press)
        self._meter = Meter(theme, self)
        keep_room(self._meter)  # nothing moves when a check begins
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self._words, 1)
        line.addWidget(self._button, 0, Qt.AlignmentFlag.AlignVCenter)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(line)
        column.addWidget(self._meter)
        self.show_health(self._state)

    def set_usable(self, usable: bool) -> None:
        """Whether the model is one that could be checked."""
        self._usable = usable
        self.show_health(self._state)

    def show_health(self, state: HealthState) -> None:
        """Show it."""
        self._state = state
        mine = state.checking is not None and state.checking == state.path
        text, role = self._said(state, mine=mine)
        self._words.setText(text)
        self._words.setToolTip(plain_tip(text))
        self._words.setAccessibleName(text)
        dress(self._words, "role", role)
        again = state.health is not None or state.failure is not None
        label = self.tr("Check again") if again else self.tr("Check")
        label = self.tr("Cancel") if mine else label
        self._button.setText(label)
        self._button.setAccessibleName(label)
        free = state.checking is None or (mine and not state.stopping)
        self._button.setEnabled(free and (self._usable or mine))
        self._meter.setVisible(mine)
        self._meter.set_share(state.done / state.every if state.every else None)

    def _said(self, state: HealthState, *, mine: bool) -> tuple[str, str]:
        health = state.health
        if mine:
            return self._progress_words(state), "quiet"
        if state.failure is not None:
            return words(state.failure).sentence, "danger"
        if health is not None and health.failure is not None:
            return health_words(health), "danger"
        broken = health is not None and not all(shape.works for shape in health.shapes)
        return health_words(health), "warn" if broken else "quiet"

    def _progress_words(self, state: HealthState) -> str:
        if state.stopping:
            return self.tr("Stopping the check")
        if not state.every:
            return self.tr("Loading the model to check it")
        done = min(state.done + 1, state.every)
        return self.tr("Checking, step {0} of {1}").format(done, state.every)

    def _press(self) -> None:
        asked = self.cancelRequested if self._state.checking else self.checkRequested
        asked.emit()
