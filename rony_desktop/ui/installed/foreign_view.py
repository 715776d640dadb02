"""The page of models that other programs have."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from rony_desktop.ui.error import words
from rony_desktop.ui.installed.foreign import ForeignState
from rony_desktop.ui.installed.side import SidePage
from rony_desktop.ui.installed.words import found_row
from rony_desktop.ui.theme import Theme


class ForeignPage(SidePage):
    """Enter links the chosen one; Link all those that are left."""

    linkRequested = Signal(str)  # noqa: N815 - Qt's naming of signals; a path
    linkAllRequested = Signal()  # noqa: N815
    lookRequested = Signal()  # noqa: N815
    cancelRequested = Signal()  # noqa: N815

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "foreign", parent)
        self.set_title(self.tr("Models of other programs"))
        self._state = ForeignState()
        self.set_about(
            self.tr(
                "What Ollama, LM Studio, Jan, GPT4All and Hugging Face keep here can be used as it "
                "is. A link is made; nothing is copied, moved or changed."
            )
        )
        self.listing.moved.connect(lambda _: self._buttons())
        self.listing.taken.connect(self.linkRequested)
        self.one.clicked.connect(lambda: self.linkRequested.emit(self.listing.key()))
        self.every.clicked.connect(self._press)
        self.show_foreign(self._state)

    def show_foreign(self, state: ForeignState) -> None:
        """Show what was found, and what was linked of it."""
        self._state = state
        rows = [found_row(found, state) for found in state.found or ()]
        self.listing.show_rows(rows, indent=False)
        self.set_nothing("" if rows else self._nothing_words(state))
        self.set_progress(self._said_words(state), moving=self._busy())
        self._buttons()

    def _busy(self) -> bool:
        return self._state.looking or self._state.linking is not None

    def _nothing_words(self, state: ForeignState) -> str:
        if state.failure is not None:
            return words(state.failure).sentence
        if state.found is None:
            return self.tr("Looking for models of other programs")
        return self.tr("No other program has a model that is not among yours already.")

    def _said_words(self, state: ForeignState) -> str:
        linked, failed = len(state.linked), len(state.failures)
        if state.linking is not None:
            return self.tr("Linking, {0} done").format(linked)
        if failed:
            return self.tr("Linked: {0}, not linked: {1}").format(linked, failed)
        return self.tr("Linked: {0}").format(linked) if linked else ""

    def _buttons(self) -> None:
        state, key = self._state, self.listing.key()
        left = {str(found.path) for found in state.left}
        self.set_one(self.tr("Link") if left else "", enabled=key in left)
        if self._busy():
            self.one.setEnabled(False)
            self.set_every(self.tr("Cancel"))
        elif state.found and not left:
            self.set_every("")
        elif state.found:
            self.set_every(self.tr("Link all"), primary=True)
        else:
            self.set_every(self.tr("Look again"))

    def _press(self) -> None:
        if self._busy():
            self.cancelRequested.emit()
        elif self._state.found:
            self.linkAllRequested.emit()
        else:
            self.lookRequested.emit()
