"""A card for one job: what it does, its button, its progress, its error, and what it found."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rony_desktop.ui.button import push_button
from rony_desktop.ui.card import ErrorText
from rony_desktop.ui.dress import dress
from rony_desktop.ui.icon import icon
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.speed.meter import Meter
from rony_desktop.ui.theme import Theme

_PAD = 16


class JobCard(QFrame):
    """The button's place never changes: it starts the job, and cancels it while it runs."""

    pressed = Signal()
    failurePressed = Signal(str)  # noqa: N815 - Qt's naming of signals

    def __init__(self, theme: Theme, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"speed_{name}_card")
        self.setProperty("look", "card")
        self.setAccessibleName(title)
        self._theme = theme
        self._action = ""
        self._result: QWidget | None = None
        self._title = plain_label(title, "lead", self)
        self._about = plain_label("", "quiet", self)
        self._about.setObjectName(f"speed_{name}_about")
        self._button = push_button("", "outline", f"speed_{name}", self)
        self._button.setFixedHeight(32)
        self._button.clicked.connect(self.pressed)
        self._progress = plain_label("", "quiet", self)
        self._progress.setObjectName(f"speed_{name}_progress")
        self._progress.setFont(theme.figures("label"))
        self._meter = Meter(theme, self)
        self._error = self._error_line(name)
        self._lay_out()
        theme.changed.connect(self._tint)
        self.show_progress("", None)
        self.show_failure(None)

    def set_about(self, text: str) -> None:
        """Say what the job does."""
        self._about.setText(text)

    def set_button(self, text: str, *, look: str = "outline", enabled: bool = True) -> None:
        """Name what the button does now."""
        self._button.setText(text)
        self._button.setAccessibleName(text)
        self._button.setEnabled(enabled)
        dress(self._button, "look", look)

    def show_progress(self, words: str, share: float | None) -> None:
        """Say how far the job is; "" where it does not run."""
        self._progress.setText(words)
        self._meter.set_share(share)
        for widget in (self._progress, self._meter):
            widget.setVisible(bool(words))

    def show_failure(self, text: ErrorText | None) -> None:
        """Say what went wrong; None: nothing did."""
        self._error.setVisible(text is not None)
        if text is not None:
            self._action = text.action
            self._sentence.setText(text.sentence)
            self._remedy.setText(text.remedy)
            self._remedy.setVisible(bool(text.remedy))
            self._repeat.setText(text.button)
            self._repeat.setAccessibleName(text.button)

    def show_result(self, result: QWidget | None) -> None:
        """Take a widget in below; the one before goes."""
        if self._result is not None:
            self._column.removeWidget(self._result)
            self._result.hide()
            self._result.deleteLater()
        self._result = result
        if result is not None:
            self._column.addWidget(result)
            result.show()

    def _error_line(self, name: str) -> QWidget:
        error = QWidget(self)
        error.setObjectName(f"speed_{name}_error")
        self._sign = QLabel(error)
        self._sentence = plain_label("", "", error)
        self._sentence.setObjectName(f"speed_{name}_sentence")
        self._remedy = plain_label("", "quiet", error)
        self._repeat = push_button("", "outline", f"speed_{name}_repeat", error)
        self._repeat.setFixedHeight(32)
        self._repeat.clicked.connect(lambda: self.failurePressed.emit(self._action))
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(self._sentence)
        words.addWidget(self._remedy)
        line = QHBoxLayout(error)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(12)
        line.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        line.addLayout(words, 1)
        line.addWidget(self._repeat, 0, Qt.AlignmentFlag.AlignTop)
        return error

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(self._title)
        words.addWidget(self._about)
        head = QHBoxLayout()
        head.setSpacing(24)
        head.addLayout(words, 1)
        head.addWidget(self._button, 0, Qt.AlignmentFlag.AlignTop)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(_PAD, _PAD, _PAD, _PAD)
        self._column.setSpacing(12)
        self._column.addLayout(head)
        for widget in (self._progress, self._meter, self._error):
            self._column.addWidget(widget)
        self._tint()

    def _tint(self) -> None:
        self._sign.setPixmap(icon(self._theme, "circle-alert", "danger").pixmap(16, 16))
