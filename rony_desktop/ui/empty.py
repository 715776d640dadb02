"""Empty states: one sentence that says what to do next, and one button that does it."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from rony_desktop.ui.button import push_button
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.theme import Theme


class EmptyKind(StrEnum):
    """Why there is nothing to read."""

    NO_MODEL = "no_model"
    NO_CHAT = "no_chat"
    LOADING = "loading"
    FAILED = "failed"
    PLANNING = "planning"
    ELSEWHERE = "elsewhere"
    NO_DOWNLOAD = "no_download"


class EmptyState(QWidget):
    """Stands where the transcript will be; the button reports its kind."""

    actionTriggered = Signal(str)  # noqa: N815 - Qt's naming of signals

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("empty")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._kind = EmptyKind.LOADING
        self._title = plain_label("", "display", self)
        self._title.setFont(theme.font("title", strong=True))
        self._sentence = plain_label("", "quiet", self)
        self._button = push_button("", "primary", "empty_action", self)
        self._button.clicked.connect(lambda: self.actionTriggered.emit(self._kind.value))
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 48)
        column.setSpacing(8)
        column.addStretch(1)
        for label in (self._title, self._sentence):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(label)
        column.addSpacing(16)
        column.addWidget(self._button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        self.set_kind(EmptyKind.LOADING)

    def set_kind(self, kind: EmptyKind, detail: str = "") -> None:
        """Say why there is nothing; detail names what loads, or what to do about a failure."""
        self._kind = kind
        title, sentence, button = {
            EmptyKind.NO_MODEL: (
                self.tr("No model yet"),
                self.tr("Three suit this computer; they run on it, without the network."),
                self.tr("Find a model"),
            ),
            EmptyKind.NO_CHAT: (
                self.tr("What would you like to know?"),
                self.tr("Write below; the answer is made on this computer."),
                self.tr("Write a message"),
            ),
            EmptyKind.LOADING: (
                self.tr("Getting ready"),
                self.tr("Loading {0}").format(detail) if detail else self.tr("Loading the model"),
                "",
            ),
            # The banner has the button: two of them would both call for the eye.
            EmptyKind.FAILED: (self.tr("Not ready to answer"), detail, ""),
            EmptyKind.PLANNING: (self.tr("Working out the plan"), detail, ""),
            EmptyKind.ELSEWHERE: (
                self.tr("Nothing to plan"),
                self.tr("This model does not run on this computer, but on a server."),
                "",
            ),
            EmptyKind.NO_DOWNLOAD: (
                self.tr("No downloads"),
                self.tr("Models on their way to this computer are listed here."),
                self.tr("Find a model"),
            ),
        }[kind]
        self._title.setText(title)
        self._sentence.setText(sentence)
        self._button.setText(button)
        self._button.setAccessibleName(button)
        self._button.setVisible(bool(button))
        self.setAccessibleName(f"{title}. {sentence}")
