"""A page beside the list of models: what it is for, what was found, and what to do with it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from rony_desktop.ui.button import page_button
from rony_desktop.ui.dress import dress
from rony_desktop.ui.installed.listing import Listing
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.room import keep_room
from rony_desktop.ui.speed.meter import Meter
from rony_desktop.ui.theme import Theme


class SidePage(QWidget):
    """Title and Back above, a list or a sentence, progress, and two buttons below.

    Its object names begin with name. one is about the chosen row, every about all.
    """

    backRequested = Signal()  # noqa: N815 - Qt's naming of signals

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"{name}_page")
        self._title = plain_label("", "display", self)
        self._about = plain_label("", "quiet", self)
        self._about.setObjectName(f"{name}_about")
        self.listing = Listing(theme, f"{name}_list", "", self)
        self._nothing = plain_label("", "quiet", self)
        self._nothing.setObjectName(f"{name}_nothing")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._said = plain_label("", "quiet", self)
        self._said.setObjectName(f"{name}_said")
        self._said.setFont(theme.figures("label"))
        self._meter = Meter(theme, self)
        keep_room(self._meter)
        self.one = page_button("", "outline", f"{name}_one", self)
        self.every = page_button("", "primary", f"{name}_every", self)
        self.back = page_button(self.tr("Back"), "outline", f"{name}_back", self)
        self.back.clicked.connect(self.backRequested)
        self._lay_out()

    def set_title(self, text: str) -> None:
        """Name the page and its list."""
        self._title.setText(text)
        self.setAccessibleName(text)
        self.listing.setAccessibleName(text)

    def set_about(self, text: str) -> None:
        """Say what the page is for."""
        self._about.setText(text)

    def set_nothing(self, text: str) -> None:
        """Say why there is no row; "" shows the list."""
        self._nothing.setText(text)
        before, now = self._stack.currentWidget(), self._nothing if text else self.listing
        self._stack.setCurrentWidget(now)
        if now is not before and self.isVisible():
            self.take_focus()

    def take_focus(self) -> None:
        """Give the keys to the list, or while there is none to Back."""
        listed = self._stack.currentWidget() is self.listing
        (self.listing if listed else self.back).setFocus(Qt.FocusReason.OtherFocusReason)

    def set_progress(
        self, words: str, *, moving: bool, share: float | None = None, role: str = "quiet"
    ) -> None:
        """Say how far it is, or what came of it."""
        self._said.setText(words)
        dress(self._said, "role", role)
        self._meter.setVisible(moving)
        self._meter.set_share(share)

    def lead_with(self, button: QPushButton) -> None:
        """Put one more at the left; what is said gets a line above the buttons."""
        self._line.removeWidget(self._said)
        self._line.insertWidget(0, button)
        self._line.insertStretch(1, 1)
        above = QHBoxLayout()
        above.setContentsMargins(12, 0, 12, 0)
        above.addWidget(self._said)
        above.addStrut(self._said.fontMetrics().height())
        self._column.insertLayout(self._column.count() - 1, above)

    def set_one(self, text: str, *, enabled: bool = True) -> None:
        """Name the button about the chosen row; "" hides it."""
        self._set(self.one, text, enabled=enabled)

    def set_every(self, text: str, *, enabled: bool = True, primary: bool = False) -> None:
        """Name the button about all of them; "" hides it."""
        dress(self.every, "look", "primary" if primary else "outline")
        self._set(self.every, text, enabled=enabled)

    @staticmethod
    def _set(button: QPushButton, text: str, *, enabled: bool) -> None:
        button.setText(text)
        button.setAccessibleName(text)
        button.setVisible(bool(text))
        button.setEnabled(enabled)

    def _lay_out(self) -> None:
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.listing)
        self._stack.addWidget(self._nothing)
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(self._title)
        words.addWidget(self._about)
        head = QHBoxLayout()
        head.setContentsMargins(12, 0, 12, 0)
        head.setSpacing(24)
        head.addLayout(words, 1)
        head.addWidget(self.back, 0, Qt.AlignmentFlag.AlignTop)
        line = self._line = QHBoxLayout()
        line.setContentsMargins(12, 0, 12, 0)
        line.setSpacing(8)
        line.addWidget(self._said, 1)
        line.addWidget(self.one)
        line.addWidget(self.every)
        meter = QHBoxLayout()
        meter.setContentsMargins(12, 0, 12, 0)
        meter.addWidget(self._meter)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(12, 16, 12, 16)
        column.setSpacing(8)
        column.addLayout(head)
        column.addSpacing(4)
        column.addWidget(self._stack, 1)
        column.addLayout(meter)
        column.addLayout(line)
