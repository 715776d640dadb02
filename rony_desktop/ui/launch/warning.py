"""Says loudly that the engine left the GPU alone, with the way to find out why."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rony_desktop.ui.button import push_button
from rony_desktop.ui.icon import icon
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.theme import Theme


class ProcessorWarning(QFrame):
    """A card; doctorRequested asks to check this computer."""

    doctorRequested = Signal()  # noqa: N815 - Qt's naming of signals

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("launch_warning")
        self._theme = theme
        self._sign = QLabel(self)
        title = plain_label(self.tr("Running on the processor"), "", self)
        title.setFont(theme.font("label", strong=True))
        self._sentence = plain_label("", "quiet", self)
        check = push_button(self.tr("Check this computer"), "outline", "launch_doctor", self)
        check.clicked.connect(self.doctorRequested)
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(title)
        words.addWidget(self._sentence)
        line = QHBoxLayout(self)
        line.setContentsMargins(16, 12, 16, 12)
        line.setSpacing(12)
        line.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        line.addLayout(words, 1)
        line.addWidget(check, 0, Qt.AlignmentFlag.AlignVCenter)
        theme.changed.connect(self._tint)
        self._tint()

    def show_layers(self, planned: int) -> None:
        """Say how many layers the GPU was to hold."""
        sentence = self.tr(
            "The plan gave {0} layers to the GPU, and the engine took none of them: "
            "answers are slower than they could be."
        ).format(planned)
        self._sentence.setText(sentence)
        self.setAccessibleName(sentence)

    def _tint(self) -> None:
        self._sign.setPixmap(icon(self._theme, "triangle-alert", "warn").pixmap(16, 16))
