"""A build as a row: what it is at the left, its one button at the right, progress below."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rony_desktop.ui.button import push_button
from rony_desktop.ui.engine.presenter import Work
from rony_desktop.ui.engine.words import work_words
from rony_desktop.ui.icon import icon
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.speed.meter import Meter
from rony_desktop.ui.theme import Theme


class BuildRow(QFrame):
    """pressed asks for the deed of the row, cancelled to end it; name is the build's."""

    pressed = Signal(str)
    cancelled = Signal()

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("engine_row")
        self.setProperty("build", name)
        self._theme = theme
        self._name = name
        self._verb = ""
        self._working = False
        self._tick = QLabel(self)
        self._tick.setFixedSize(16, 18)
        self._title = plain_label("", "", self)
        self._title.setFont(theme.font("label", strong=True))
        self._detail = plain_label("", "quiet", self)
        self._warning = plain_label("", "hint", self)
        self._said = plain_label("", "quiet", self)
        self._said.setFont(theme.figures("label"))
        self._meter = Meter(theme, self)
        self._state = plain_label("", "ok", self)
        self._state.setWordWrap(False)
        self._button = push_button("", "outline", "engine_row_button", self)
        self._button.setFixedHeight(32)
        self._button.clicked.connect(self._press)
        self.setFocusProxy(self._button)
        self._lay_out()
        theme.changed.connect(self._tint)
        self.show_work(None, busy=False)

    def show_build(self, title: str, detail: str, warning: str = "", role: str = "hint") -> None:
        """Say what it is; role is the one of the warning."""
        self._warning.setProperty("role", role)
        self._title.setText(title)
        for label, text in ((self._detail, detail), (self._warning, warning)):
            label.setText(text)
            label.setVisible(bool(text))
        self.setAccessibleName(f"{title}. {detail} {warning}".strip())

    def set_verb(self, verb: str, state: str = "") -> None:
        """Name what the button does; state stands there instead where it is chosen already."""
        self._verb = verb
        self._state.setText(state)
        self._state.setVisible(bool(state))
        self._tint()

    def show_work(self, work: Work | None, *, busy: bool, blocked: bool = False) -> None:
        """Show how far this row's deed is, None for none; busy: another one is on its way."""
        self._working = work is not None
        self._said.setText(work_words(work) if work else "")
        self._said.setVisible(self._working)
        self._meter.setVisible(self._working)
        known = work and work.every and not work.stopping and work.done < work.every
        self._meter.set_share(work.done / work.every if work and known else None)
        text = self.tr("Cancel") if work else self._verb
        self._button.setText(text)
        self._button.setAccessibleName(f"{text}: {self._title.text()}")
        self._button.setVisible(bool(text) and (self._working or not self._state.text()))
        free = not work.stopping if work else not (busy or blocked)
        self._button.setEnabled(free)

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(4)
        for label in (self._title, self._detail, self._warning, self._said):
            words.addWidget(label)
        words.addWidget(self._meter)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 12, 0, 12)
        line.setSpacing(8)
        line.addWidget(self._tick, 0, Qt.AlignmentFlag.AlignTop)
        line.addLayout(words, 1)
        line.addSpacing(16)
        line.addWidget(self._state, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self._button, 0, Qt.AlignmentFlag.AlignTop)

    def _press(self) -> None:
        if self._working:
            self.cancelled.emit()
        else:
            self.pressed.emit(self._name)

    def _tint(self) -> None:
        if self._state.text():
            self._tick.setPixmap(icon(self._theme, "check", "ok").pixmap(16, 16))
        else:
            self._tick.clear()
