"""The models that are suggested for this computer, one below the other."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from rony_desktop.contract.hub import CatalogEntry, Suggestion
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.wizard.card import SuggestionCard


class SuggestionColumn(QWidget):
    """Up to three cards, the recommended one first; gets: their buttons get the model."""

    chosen = Signal(CatalogEntry)

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, gets: bool) -> None:
        super().__init__(parent)
        self._gets = gets
        kinds = (
            ("balanced", self.tr("Recommended")),
            ("large", self.tr("Most able")),
            ("small", self.tr("Quickest")),
        )
        # They are there from the beginning: so Tab comes to them before what follows them.
        self._cards = [SuggestionCard(theme, *kind, gets=gets, parent=self) for kind in kinds]
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        for card in self._cards:
            card.chosen.connect(self.chosen)
            column.addWidget(card)

    def show_suggestion(self, found: Suggestion | None) -> None:
        """Show what there is of it; None: nothing is known yet."""
        candidates = (found.balanced, found.large, found.small) if found else (None, None, None)
        best = self._gets
        for card, candidate in zip(self._cards, candidates, strict=True):
            card.show_candidate(candidate, best=best)
            best = best and candidate is None

    def is_empty(self) -> bool:
        """Whether there is no card."""
        return all(card.isHidden() for card in self._cards)

    def set_chosen(self, model: str) -> None:
        """Mark the one of a model of the hub; "" marks none."""
        for card in self._cards:
            card.set_chosen(model)

    def set_enabled(self, enabled: bool) -> None:
        """Whether one can be chosen."""
        for card in self._cards:
            card.button.setEnabled(enabled)

    def take_focus(self) -> None:
        """Take the keys, where there is a card for them."""
        shown = [card for card in self._cards if not card.isHidden()]
        marked = [card for card in shown if card.property("chosen") == "true"]
        if shown:
            (marked or shown)[0].button.setFocus(Qt.FocusReason.TabFocusReason)
