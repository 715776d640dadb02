"""The page of newer revisions of what was downloaded."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from rony_desktop.contract.error import Action, Failure
from rony_desktop.ui.button import page_button
from rony_desktop.ui.error import button, words
from rony_desktop.ui.installed.revision import RevisionState
from rony_desktop.ui.installed.side import SidePage
from rony_desktop.ui.installed.words import revision_row
from rony_desktop.ui.number import size_text
from rony_desktop.ui.theme import Theme


class RevisionPage(SidePage):
    """Enter updates the chosen one, or leads to its download; Update all the rest."""

    askRequested = Signal()  # noqa: N815 - Qt's naming of signals
    updateRequested = Signal(str)  # noqa: N815 - a path
    updateAllRequested = Signal()  # noqa: N815
    cancelRequested = Signal()  # noqa: N815
    downloadsRequested = Signal()  # noqa: N815
    discoverRequested = Signal()  # noqa: N815

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "revision", parent)
        self.set_title(self.tr("Newer revisions"))
        self._state = RevisionState()
        self.set_about(
            self.tr(
                "A model may have been replaced where you got it. The one here stays until the "
                "newer one is whole; if it is in use, it goes on until it is loaded again."
            )
        )
        self.again = page_button(self.tr("Ask again"), "outline", "revision_again", self)
        self.again.clicked.connect(self.askRequested)
        self.lead_with(self.again)
        self.listing.moved.connect(lambda _: self._buttons())
        self.listing.taken.connect(self._take)
        self.one.clicked.connect(lambda: self._take(self.listing.key()))
        self.every.clicked.connect(self._press)
        self.show_revisions(self._state)

    def show_revisions(self, state: RevisionState) -> None:
        """Show what the hub has newer, or how far the question is."""
        counted = self._state.count is None and state.count is not None
        self._state = state
        rows = [revision_row(revision, state) for revision in state.found or ()]
        self.listing.show_rows(rows, indent=False)
        self.set_nothing("" if rows else self._nothing_words(state))
        share = state.done / state.every if state.asking and state.every else None
        failed = bool(rows) and state.failure is not None and not state.asking
        self.set_progress(
            self._said_words(state),
            moving=state.asking,
            share=share,
            role="danger" if failed else "quiet",
        )
        self._buttons()
        if counted and self.isVisible():
            self.take_focus()

    def take_focus(self) -> None:
        """Give the keys to the list, or while there is none to what can be done."""
        super().take_focus()
        if not self._state.found and self.every.isVisible():
            self.every.setFocus(Qt.FocusReason.OtherFocusReason)

    def _nothing_words(self, state: RevisionState) -> str:
        if state.failure is not None:
            return _failure_words(state.failure)
        if state.asking:
            return self.tr("The hub is asked what it has now.")
        if state.count is None:
            return ""
        if state.count == 0:
            return self.tr("Nothing was downloaded yet, so there is nothing to ask about.")
        return self._count_words(state.count, asked=state.whole)

    def _count_words(self, count: int, *, asked: bool) -> str:
        if asked and count == 1:
            return self.tr("The model you downloaded is the newest there is.")
        if asked:
            text = self.tr("All {0} models you downloaded are the newest there are.")
        elif count == 1:
            text = self.tr("Asks the hub about one model you downloaded, and sends its name.")
        else:
            text = self.tr("Asks the hub about {0} models you downloaded, and sends their names.")
        return text.format(count)

    def _said_words(self, state: RevisionState) -> str:
        if state.asking:
            return (
                self.tr("{0} of {1} asked").format(state.done, state.every) if state.every else ""
            )
        if not state.found:
            return ""
        if state.failure is not None:
            return _failure_words(state.failure)
        return "" if state.whole else self.tr("Stopped: not every model was asked about")

    def _buttons(self) -> None:
        state, key = self._state, self.listing.key()
        rows, left = state.found or (), state.left
        self._name_one(key if left and len(rows) > 1 else "")
        self.again.setVisible(bool(left) and not state.asking)
        if state.asking:
            self.set_every(self.tr("Cancel"))
        elif left:
            text = self.tr("Update, {0}") if len(rows) == 1 else self.tr("Update all, {0}")
            size = sum(revision.fetched_bytes for revision in left)
            self.set_every(text.format(size_text(size)), primary=True)
        elif any(state.is_coming(revision.path) for revision in rows):
            self.set_every(self.tr("Show downloads"))
        elif rows or state.whole:
            self.set_every(self.tr("Ask again"))
        elif state.failure is not None:
            self.set_every(button(Action.RETRY))
        elif state.count == 0:
            self.set_every(self.tr("Find a model"), primary=True)
        else:
            self.set_every(self.tr("Ask the hub") if state.count else "", primary=True)

    def _name_one(self, key: str) -> None:
        """The button of one row says what Enter does there."""
        if not key:
            self.set_one("")
        elif self._state.is_coming(Path(key)):
            self.set_one(self.tr("Show downloads"))
        else:
            left = any(str(revision.path) == key for revision in self._state.left)
            self.set_one(self.tr("Update"), enabled=left)

    def _take(self, key: str) -> None:
        if self._state.is_coming(Path(key)):
            self.downloadsRequested.emit()
        else:
            self.updateRequested.emit(key)

    def _press(self) -> None:
        state = self._state
        if state.asking:
            self.cancelRequested.emit()
        elif state.left:
            self.updateAllRequested.emit()
        elif any(state.is_coming(revision.path) for revision in state.found or ()):
            self.downloadsRequested.emit()
        elif state.count == 0:
            self.discoverRequested.emit()
        else:
            self.askRequested.emit()


def _failure_words(failure: Failure) -> str:
    text = words(failure)
    return f"{text.sentence} {text.remedy}".strip()
