"""The status bar: the engine, a button to its log, and its numbers."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from rony_desktop.ui.button import StateLook, push_button, state_icon
from rony_desktop.ui.dot import joined
from rony_desktop.ui.icon import icon
from rony_desktop.ui.label import plain_tip
from rony_desktop.ui.number import (
    count_text,
    decimal_text,
    duration_text,
    rate_text,
    share_text,
    short_count,
)
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.token import STATUS, THIN

_WARN_SHARE = 0.8
_NAME = 220  # pixels of a file's name


class StatusBar(QFrame):
    """A strip of 24 pixels; numbers keep their room, so that nothing moves."""

    engineClicked = Signal()  # noqa: N815 - Qt's naming of signals
    waitingClicked = Signal()  # noqa: N815
    downloadsClicked = Signal()  # noqa: N815

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._state: StateLook = "off"
        self.setObjectName("status")
        self.setFixedHeight(STATUS)
        self._engine = self._part("status_engine", self.tr("State of the engine"))
        self._waiting = self._part("status_waiting", self.tr("Go to the chat that waits"))
        self._waiting.clicked.connect(self.waitingClicked)
        self._download = self._part("status_download", self.tr("Show the downloads"))
        self._download.clicked.connect(self.downloadsClicked)
        self._speed = self._part("status_speed", self.tr("Speed of the answer"))
        self._first = self._part("status_first_token", self.tr("Time to the first word"))
        self._context = self._part("status_context", self.tr("Context in use"))
        self._engine.clicked.connect(self.engineClicked)
        line = QHBoxLayout(self)
        line.setContentsMargins(8, 1, 8, 1)
        line.setSpacing(4)
        line.addWidget(self._engine)
        line.addWidget(self._waiting)
        line.addWidget(self._download)
        line.addStretch(1)
        for part in (self._speed, self._first, self._context):
            # A number does nothing yet: it must not look or feel as if it did.
            part.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            part.setProperty("look", "figure")
            part.unsetCursor()
            line.addWidget(part)
        theme.changed.connect(self._tint)
        self.set_engine("busy", self.tr("Starting"))
        self.set_waiting(0)
        self.set_download(None)
        self.set_speed(None)
        self.set_first_token(None)
        self.set_context(None, None)

    def set_engine(self, state: StateLook, text: str) -> None:
        """Show the engine's state as a dot and a word."""
        self._state = state
        self._say(self._engine, text, self.tr("Engine"))
        self._tint()

    def set_waiting(self, chats: int) -> None:
        """Show how many other chats wait for the user's answer."""
        text = ""
        if chats:
            one, many = self.tr("1 chat waits for you"), self.tr("{0} chats wait for you")
            text = one if chats == 1 else many.format(count_text(chats))
        self._say(self._waiting, text, self.tr("Waiting"))

    def set_download(
        self, share: float | None, seconds_left: float | None = None, done: str = ""
    ) -> None:
        """Show how far downloads are, from 0 to 1; None: none runs. done was downloaded."""
        text = ""
        if share is not None:
            text = self.tr("Downloading {0}").format(share_text(share))
            if seconds_left is not None:
                text = joined((text, duration_text(seconds_left)))
        elif done:
            name = self.fontMetrics().elidedText(done, Qt.TextElideMode.ElideMiddle, _NAME)
            text = self.tr("Downloaded {0}").format(name)
        self._say(self._download, text, self.tr("Downloads"))

    def set_speed(self, tokens_per_s: float | None) -> None:
        """Show the speed; None where nothing was measured."""
        text = "" if tokens_per_s is None else rate_text(tokens_per_s)
        self._say(self._speed, text, self.tr("Speed"))

    def set_first_token(self, seconds: float | None) -> None:
        """Show how long the first word took, in seconds."""
        text = ""
        if seconds is not None:
            text = self.tr("first word {0}").format(f"{decimal_text(seconds)}{THIN}s")
        self._say(self._first, text, self.tr("Time to the first word"))

    def set_context(self, used: int | None, limit: int | None) -> None:
        """Show how many tokens of the context are in use."""
        text = ""
        if used is not None and limit:
            text = self.tr("context {0} / {1}").format(short_count(used), short_count(limit))
        warn = bool(used and limit and used > limit * _WARN_SHARE)
        self._say(self._context, text, self.tr("Context"))
        self._context.setIcon(state_icon(self._theme, "busy") if warn else QIcon())

    def _part(self, name: str, tip: str) -> QPushButton:
        part = push_button("", "status", name, self)
        part.setFont(self._theme.figures())
        part.setToolTip(tip)
        part.setIconSize(QSize(12, 12))
        part.setFixedHeight(STATUS - 2)
        return part

    def _say(self, part: QPushButton, text: str, name: str) -> None:
        part.setText(text.replace("&", "&&"))
        part.setAccessibleName(f"{name}: {text}")
        part.setVisible(bool(text))
        if part is self._engine:
            part.setToolTip(plain_tip(self.tr("{0}. Open the log of the engine").format(text)))

    def _tint(self) -> None:
        self._engine.setIcon(state_icon(self._theme, self._state))
        self._waiting.setIcon(icon(self._theme, "hand", "accent"))
