"""A suggested model as a card: what it is good for, what it takes, and a button that gets it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from rony_desktop.contract.hub import Candidate, CatalogEntry
from rony_desktop.ui.button import push_button
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.wizard.words import figures


class SuggestionCard(QFrame):
    """One of three; chosen tells its entry of the catalog."""

    chosen = Signal(CatalogEntry)

    def __init__(
        self,
        theme: Theme,
        kind: tuple[str, str],
        candidate: Candidate,
        *,
        best: bool,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        name, title = kind
        entry = candidate.entry
        self.setObjectName(f"suggestion_{name}")
        self.setProperty("look", "card")
        self.setAccessibleName(f"{title}: {entry.name}. {entry.about} {figures(candidate)}")
        look = "primary" if best else "outline"
        self.button = push_button(self.tr("Download"), look, f"suggestion_{name}_get", self)
        self.button.setAccessibleName(self.tr("Download {0}").format(entry.name))
        self.button.setFixedHeight(32)
        self.button.clicked.connect(lambda: self.chosen.emit(entry))
        words = QVBoxLayout()
        words.setSpacing(4)
        kind_label = plain_label(title, "hint", self)
        words.addWidget(kind_label)
        words.addWidget(plain_label(entry.name, "lead", self))
        words.addWidget(plain_label(entry.about, "quiet", self))
        numbers = plain_label(figures(candidate), "quiet", self)
        numbers.setFont(theme.figures("label"))
        words.addWidget(numbers)
        line = QHBoxLayout(self)
        line.setContentsMargins(16, 12, 16, 12)
        line.setSpacing(16)
        line.addLayout(words, 1)
        line.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)
