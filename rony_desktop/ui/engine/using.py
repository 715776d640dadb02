"""The engine in use: what it is, what is wrong with it, and the way back."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rony_desktop.ui.button import push_button
from rony_desktop.ui.engine.presenter import BuildState
from rony_desktop.ui.engine.words import in_use_words
from rony_desktop.ui.error import words
from rony_desktop.ui.icon import icon
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.theme import Theme

PREVIOUS = "previous"


class UsingCard(QFrame):
    """A card: the name first, then what should be known, then at most two buttons."""

    backRequested = Signal()  # noqa: N815 - Qt's naming of signals
    restartRequested = Signal()  # noqa: N815
    settingsRequested = Signal()  # noqa: N815

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("engine_card")
        self.setProperty("look", "card")
        self._theme = theme
        self._look = ("info", "text2")
        self._sign = QLabel(self)
        self._sign.setFixedSize(20, 22)
        self._title = plain_label("", "lead", self)
        self._title.setObjectName("engine_title")
        self._about = plain_label("", "quiet", self)
        self._about.setObjectName("engine_about")
        self._warning = plain_label("", "warn", self)
        self._warning.setObjectName("engine_warning")
        self._fixed = plain_label("", "quiet", self)
        self._fixed.setObjectName("engine_fixed")
        self._waiting = plain_label(
            self.tr("The change counts from the next start of the engine."), "info", self
        )
        self._waiting.setObjectName("engine_waiting")
        self._restart = push_button(self.tr("Restart now"), "primary", "engine_restart", self)
        self._restart.clicked.connect(self.restartRequested)
        self._back = push_button("", "outline", "engine_back", self)
        self._back.clicked.connect(self.backRequested)
        self._settings = push_button(
            self.tr("Open the settings file"), "outline", "engine_settings", self
        )
        self._settings.clicked.connect(self.settingsRequested)
        self._lay_out()
        theme.changed.connect(self._tint)

    def show_builds(self, state: BuildState) -> None:
        """Show what is known."""
        overview = state.overview
        in_use = overview.in_use if overview else None
        failure = overview.failure if overview else None
        if in_use:
            title, about = in_use.label, in_use_words(in_use)
            self._look = ("triangle-alert", "warn") if in_use.outdated else ("check", "ok")
        elif failure:
            text = words(failure)
            title, about = text.sentence, text.remedy
            self._look = ("circle-alert", "danger")
        else:
            title, about = self.tr("Looking at the engine"), self.tr("It takes a moment.")
            self._look = ("search", "text2")
        self._title.setText(title)
        outdated = bool(in_use and in_use.outdated)
        fixed = overview.fixed if overview else ""
        self._put(self._about, about)
        self._put(self._warning, self._outdated(fixed) if outdated else "")
        self._put(self._fixed, self._fixed_words(fixed) if fixed else "")
        self._waiting.setVisible(state.waiting)
        self._restart.setVisible(state.waiting)
        self._settings.setVisible(bool(fixed))
        back = overview.previous if overview and not fixed else ""
        self._back.setText(self.tr("Go back to {0}").format(back))
        self._back.setAccessibleName(self._back.text())
        self._back.setVisible(bool(back))
        self._buttons.setVisible(bool(back or fixed or state.waiting))
        for button in (self._back, self._restart):
            button.setEnabled(state.work is None)
        self.setAccessibleName(f"{title}. {about}")
        self._tint()

    def _outdated(self, fixed: str) -> str:
        danger = self.tr("A prepared model file can attack a build this old.")
        return danger if fixed else f"{danger} {self.tr('Install a newer one below.')}"

    def _fixed_words(self, setting: str) -> str:
        return self.tr(
            "The setting {0} names it; while it does, nothing can be chosen here."
        ).format(setting)

    def _put(self, label: QLabel, text: str) -> None:
        label.setText(text)
        label.setVisible(bool(text))

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(4)
        for label in (self._title, self._about, self._warning, self._fixed, self._waiting):
            words.addWidget(label)
        self._buttons = QWidget(self)
        buttons = QHBoxLayout(self._buttons)
        buttons.setContentsMargins(0, 8, 0, 0)
        buttons.setSpacing(8)
        for button in (self._restart, self._back, self._settings):
            button.setFixedHeight(32)
            buttons.addWidget(button)
        buttons.addStretch(1)
        words.addWidget(self._buttons)
        line = QHBoxLayout(self)
        line.setContentsMargins(16, 16, 16, 16)
        line.setSpacing(8)
        line.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        line.addLayout(words, 1)

    def _tint(self) -> None:
        self._sign.setPixmap(icon(self._theme, self._look[0], self._look[1], 20).pixmap(20, 20))
