"""A suggested model as a card: what it is good for, what it takes, and a button for it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QVBoxLayout, QWidget

from rony_desktop.contract.hub import Candidate, CatalogEntry
from rony_desktop.ui.button import page_button
from rony_desktop.ui.dress import dress
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.wizard.words import figures

_NARROW = 360  # pixels up to which the button stands below the words


class SuggestionCard(QFrame):
    """One of three, hidden while there is none; chosen tells its entry of the catalog.

    gets: its button gets the model, else it shows what there is of it.
    """

    chosen = Signal(CatalogEntry)

    def __init__(
        self, theme: Theme, name: str, title: str, *, gets: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(f"suggestion_{name}")
        self.setProperty("look", "card")
        self._title = title
        self._gets = gets
        self._entry: CatalogEntry | None = None
        text = self.tr("Download") if gets else self.tr("Details")
        self.button = page_button(text, "outline", f"suggestion_{name}_get", self)
        self.button.clicked.connect(lambda: self.chosen.emit(self._entry))
        self._name = plain_label("", "lead", self)
        self._about = plain_label("", "quiet", self)
        self._figures = plain_label("", "quiet", self)
        self._figures.setFont(theme.figures("label"))
        words = QVBoxLayout()
        words.setSpacing(4)
        for label in (plain_label(title, "hint", self), self._name, self._about, self._figures):
            words.addWidget(label)
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._line.setContentsMargins(16, 12, 16, 12)
        self._line.setSpacing(12)
        self._line.addLayout(words, 1)
        self._line.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.hide()

    def show_candidate(self, candidate: Candidate | None, *, best: bool) -> None:
        """Show a model; best: its button calls for the eye."""
        self._entry = candidate.entry if candidate else None
        self.setVisible(candidate is not None)
        if candidate is None:
            return
        entry, numbers = candidate.entry, figures(candidate)
        self.setAccessibleName(f"{self._title}: {entry.name}. {entry.about} {numbers}")
        told = self.tr("Download {0}") if self._gets else self.tr("Details of {0}")
        self.button.setAccessibleName(told.format(entry.name))
        dress(self.button, "look", "primary" if best else "outline")
        self._name.setText(entry.name)
        self._about.setText(entry.about)
        self._figures.setText(numbers)

    def set_chosen(self, model: str) -> None:
        """Look as the one that is shown elsewhere, if it is that model of the hub."""
        mine = self._entry is not None and self._entry.model == model
        dress(self, "chosen", "true" if mine else "false")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter is for the button, and for none of the dialog."""
        if Qt.Key(event.key()) in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.button.click()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room the button goes below the words."""
        super().resizeEvent(event)
        below = self.width() <= _NARROW
        way = QBoxLayout.Direction.TopToBottom if below else QBoxLayout.Direction.LeftToRight
        if self._line.direction() != way:
            self._line.setDirection(way)
            side = Qt.AlignmentFlag.AlignLeft if below else Qt.AlignmentFlag.AlignVCenter
            self._line.setAlignment(self.button, side)
