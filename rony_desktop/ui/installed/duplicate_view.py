"""The page of models that are on the disk twice."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from rony_desktop.ui.error import words
from rony_desktop.ui.installed.duplicate import DuplicateState
from rony_desktop.ui.installed.side import SidePage
from rony_desktop.ui.installed.words import duplicate_row
from rony_desktop.ui.number import size_text
from rony_desktop.ui.theme import Theme


class DuplicatePage(SidePage):
    """Enter merges the chosen one; Merge all the rest."""

    mergeRequested = Signal(str)  # noqa: N815 - Qt's naming of signals; a SHA-256
    mergeAllRequested = Signal()  # noqa: N815
    lookRequested = Signal()  # noqa: N815
    cancelRequested = Signal()  # noqa: N815

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "duplicate", parent)
        self.set_title(self.tr("Models that are here twice"))
        self._state = DuplicateState()
        self.set_about(
            self.tr(
                "Files with the same content can share their bytes. Every name stays and works as "
                "before; files of other programs are never replaced."
            )
        )
        self.listing.taken.connect(self.mergeRequested)
        self.one.clicked.connect(lambda: self.mergeRequested.emit(self.listing.key()))
        self.every.clicked.connect(self._press)
        self.show_duplicates(self._state)

    def show_duplicates(self, state: DuplicateState) -> None:
        """Show what was found, or how far it is."""
        self._state = state
        rows = [duplicate_row(duplicate) for duplicate in state.found or ()]
        self.listing.show_rows(rows, indent=False)
        self.set_nothing("" if rows else self._nothing_words(state))
        known = state.looking and state.every and not state.stopping
        share = state.done / state.every if known else None
        failed = state.failure is not None and bool(rows) and not state.busy
        role = "danger" if failed else "quiet"
        self.set_progress(self._said_words(state), moving=state.busy, share=share, role=role)
        self.set_one(self.tr("Merge") if len(rows) > 1 else "", enabled=not state.busy)
        if state.busy:
            self.set_every(self.tr("Cancel"), enabled=not state.stopping)
        elif rows:
            every = (
                self.tr("Merge all, frees {0}") if len(rows) > 1 else self.tr("Merge, frees {0}")
            )
            self.set_every(every.format(size_text(state.saved_bytes)), primary=True)
        else:
            self.set_every(self.tr("Look again"))

    def _nothing_words(self, state: DuplicateState) -> str:
        if state.failure is not None:
            text = words(state.failure)
            return f"{text.sentence} {text.remedy}".strip()
        if state.looking:
            return self.tr(
                "Files of one size are read and compared; only the first time takes long."
            )
        if state.found is None:
            return self.tr("The search was stopped; what was read so far is remembered.")
        return self.tr("Nothing is here twice.")

    def _said_words(self, state: DuplicateState) -> str:
        if state.busy:
            return self._progress_words(state)
        if state.failure is not None and state.found:
            return words(state.failure).sentence
        if state.freed_bytes:
            return self.tr("{0} freed").format(size_text(state.freed_bytes))
        return ""

    def _progress_words(self, state: DuplicateState) -> str:
        if state.stopping:
            return self.tr("Stopping")
        if state.merging is not None:
            return self.tr("Merging")
        if not state.every:
            return self.tr("Looking at the sizes")
        done, every = size_text(state.done), size_text(state.every)
        return self.tr("{0} of {1} read").format(done, every)

    def _press(self) -> None:
        if self._state.busy:
            self.cancelRequested.emit()
        elif self._state.found:
            self.mergeAllRequested.emit()
        else:
            self.lookRequested.emit()
