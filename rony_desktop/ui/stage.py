"""A page that scrolls, what stands there while there is none, and a banner over both."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from rony_desktop.contract.error import Action, Failure
from rony_desktop.ui.banner import Banner
from rony_desktop.ui.empty import EmptyKind, EmptyState
from rony_desktop.ui.error import words
from rony_desktop.ui.room import scroll_area
from rony_desktop.ui.theme import Theme


class Stage(QWidget):
    """A pane about a launch; subclasses fill the page and call show_page()."""

    actionRequested = Signal(str)  # noqa: N815 - Qt's naming of signals; an Action

    def __init__(self, theme: Theme, page: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.area = scroll_area("", page)
        self.banner = Banner(theme, self)
        self.banner.actionTriggered.connect(self.actionRequested)
        self.column = QVBoxLayout(self)
        self._empty = EmptyState(theme, self)
        self._empty.actionTriggered.connect(lambda _: self.actionRequested.emit(Action.FIND_MODEL))
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.area)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)
        self.column.addWidget(self.banner)
        self.column.addWidget(self._stack, 1)

    def show_page(self) -> None:
        """Show the page."""
        self._stack.setCurrentWidget(self.area)

    def show_blank(self) -> None:
        """Show what stands there while there is no page."""
        self._stack.setCurrentWidget(self._empty)

    def show_working(self, name: str) -> None:
        """Say that a file's launch is being planned."""
        self._empty.set_kind(EmptyKind.PLANNING, name)
        self.show_blank()

    def show_nothing(self, *, elsewhere: bool) -> None:
        """Say that no model is in use, or one that runs elsewhere."""
        self._empty.set_kind(EmptyKind.ELSEWHERE if elsewhere else EmptyKind.NO_MODEL)
        self.show_blank()

    def show_failure(self, failure: Failure | None) -> None:
        """Say what went wrong; a page that was shown stays."""
        if failure is None:
            self.banner.hide_error()
            return
        text = words(failure)
        self.banner.show_error(text)
        if self._stack.currentWidget() is self._empty:
            self._empty.set_kind(EmptyKind.FAILED, text.remedy)
