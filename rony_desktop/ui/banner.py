"""The banner: an error or notice of the whole window, with one button."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rony_desktop.contract.error import Failure
from rony_desktop.ui.button import IconButton, push_button
from rony_desktop.ui.card import ErrorText
from rony_desktop.ui.error import local
from rony_desktop.ui.icon import icon
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.token import COLUMN

Tone = Literal["danger", "warn", "info"]

_SIGNS: dict[Tone, str] = {"danger": "circle-alert", "warn": "triangle-alert", "info": "info"}


class Banner(QWidget):
    """What happened, what to do, one button; hidden while there is nothing to say."""

    actionTriggered = Signal(str)  # noqa: N815 - Qt's naming of signals
    dismissed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner_area")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._tone: Tone = "danger"
        self._action = ""
        self._card = QFrame(self)
        self._card.setObjectName("banner")
        self._card.setMaximumWidth(COLUMN)
        self._sign = QLabel(self._card)
        self._sentence = plain_label("", "", self._card)
        self._sentence.setObjectName("banner_sentence")
        self._remedy = plain_label("", "quiet", self._card)
        self._remedy.setObjectName("banner_remedy")
        self._button = push_button("", "outline", "banner_action", self._card)
        self._button.clicked.connect(lambda: self.actionTriggered.emit(self._action))
        self._close = IconButton(theme, "x", self.tr("Dismiss"), parent=self._card)
        self._close.setObjectName("banner_dismiss")
        self._close.setIconSize(QSize(16, 16))
        self._close.clicked.connect(self._dismiss)
        self._lay_out()
        theme.changed.connect(self._tint)
        self.hide()

    def show_error(self, error: ErrorText, tone: Tone = "danger") -> None:
        """Say what happened."""
        self._tone, self._action = tone, error.action
        self._sentence.setText(error.sentence)
        self._remedy.setText(error.remedy)
        self._remedy.setVisible(bool(error.remedy))
        self._button.setText(error.button.replace("&", "&&"))
        self._button.setAccessibleName(error.button)
        self._button.setVisible(bool(error.button))
        self.setAccessibleName(f"{error.sentence} {error.remedy}".strip())
        self._tint()
        self.show()

    def show_failure(self, failure: Failure | None, *, again: bool = True) -> None:
        """Say what went wrong in a page; None: nothing did, again: as ui/error.local has it."""
        if failure is None:
            self.hide_error()
        else:
            self.show_error(local(failure, again=again))

    def hide_error(self) -> None:
        """Say nothing any more."""
        self.hide()

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(self._sentence)
        words.addWidget(self._remedy)
        line = QHBoxLayout(self._card)
        line.setContentsMargins(16, 12, 8, 12)
        line.setSpacing(12)
        line.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        line.addLayout(words, 1)
        line.addWidget(self._button, 0, Qt.AlignmentFlag.AlignVCenter)
        line.addWidget(self._close, 0, Qt.AlignmentFlag.AlignVCenter)
        outside = QHBoxLayout(self)
        outside.setContentsMargins(24, 12, 24, 0)
        outside.addStretch(1)
        outside.addWidget(self._card, 1000)
        outside.addStretch(1)

    def _dismiss(self) -> None:
        self.hide()
        self.dismissed.emit()

    def _tint(self) -> None:
        self._sign.setPixmap(icon(self._theme, _SIGNS[self._tone], self._tone).pixmap(16, 16))
