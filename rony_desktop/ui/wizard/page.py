"""The pages of the wizard, each filled from where it stands."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFormLayout, QFrame, QVBoxLayout, QWidget

from rony_desktop.contract.hub import CatalogEntry
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.speed.meter import Meter
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.wizard.presenter import WizardState
from rony_desktop.ui.wizard.suggestion import SuggestionColumn
from rony_desktop.ui.wizard.words import facts


class ComputerPage(QWidget):
    """What was found here."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: object = None
        self._meter = Meter(theme, self)
        self._form = QFormLayout()
        self._form.setHorizontalSpacing(24)
        self._form.setVerticalSpacing(12)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        column = _column(self)
        column.addWidget(self._meter)
        column.addLayout(self._form)
        column.addStretch(1)

    def show_state(self, state: WizardState) -> None:
        """Show the machine, once it is known."""
        self._meter.setVisible(state.computer is None and state.failure is None)
        if state.computer is self._shown or state.computer is None:
            return
        self._shown = state.computer
        while self._form.rowCount():
            self._form.removeRow(0)
        for name, what in facts(state.computer):
            label = plain_label(name, "quiet", self)
            label.setWordWrap(False)
            value = plain_label(what, "", self)
            value.setAccessibleName(f"{name}: {what}")
            self._form.addRow(label, value)


class ChoosePage(QWidget):
    """Three models for this computer."""

    chosen = Signal(CatalogEntry)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._meter = Meter(theme, self)
        self._cards = SuggestionColumn(theme, self, gets=True)
        self._cards.chosen.connect(self.chosen)
        self._none = plain_label(
            self.tr(
                "None of the models the program knows fits into the memory that is free now. "
                "Close other programs, or look for a smaller model yourself."
            ),
            "",
            self,
        )
        column = _column(self)
        column.setSpacing(12)
        for widget in (self._meter, self._none, self._cards):
            column.addWidget(widget)
        column.addStretch(1)

    def show_state(self, state: WizardState) -> None:
        """Show the suggestions, once they are known."""
        found = state.suggestion
        self._meter.setVisible((found is None or state.busy) and state.failure is None)
        self._none.setVisible(found is not None and found.large is None)
        self._cards.show_suggestion(found)
        self._cards.set_enabled(not state.busy)

    def focus(self) -> None:
        """Put the focus on what is recommended."""
        self._cards.take_focus()


class WayPage(QWidget):
    """How far a download or tuning is."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._meter = Meter(theme, self)
        self._words = plain_label("", "quiet", self)
        self._words.setObjectName(f"wizard_{name}_words")
        self._words.setFont(theme.figures("label"))
        card = QFrame(self)
        card.setProperty("look", "card")
        inside = QVBoxLayout(card)
        inside.setContentsMargins(16, 16, 16, 16)
        inside.setSpacing(12)
        inside.addWidget(self._meter)
        inside.addWidget(self._words)
        self._card = card
        column = _column(self)
        column.addWidget(card)
        column.addStretch(1)

    def show_way(self, words: str, share: float | None) -> None:
        """Show it; "" hides it."""
        self._card.setVisible(bool(words))
        self._words.setText(words)
        self._meter.set_share(share)


def _column(page: QWidget) -> QVBoxLayout:
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, 0, 0)
    column.setAlignment(Qt.AlignmentFlag.AlignTop)
    return column
