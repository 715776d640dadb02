"""The page of models to download: a search, suggestions or what was found, and one model of it."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from rony_desktop.contract.hub import CatalogEntry
from rony_desktop.ui.banner import Banner
from rony_desktop.ui.discover.list import LineList
from rony_desktop.ui.discover.opened import OpenedPane
from rony_desktop.ui.discover.state import Found, Opened
from rony_desktop.ui.discover.words import found_words, model_line
from rony_desktop.ui.error import answering, words
from rony_desktop.ui.field import Field
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.room import keep_room, scroll_area
from rony_desktop.ui.speed.meter import Meter
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.token import COLUMN
from rony_desktop.ui.wizard.suggestion import SuggestionColumn

WIDE = 760  # from here on a model is shown beside the list
TYPED_MS = 400
_LEFT = 340
_GATED = 68


class DiscoverPane(QWidget):
    """Shows what was found and one model; watched tells whether anybody can see it."""

    searchRequested = Signal(str)  # noqa: N815 - Qt's naming of signals
    openRequested = Signal(int)  # noqa: N815 - a row of what was found
    suggestionRequested = Signal(object)  # noqa: N815 - a CatalogEntry
    closeRequested = Signal()  # noqa: N815 - no model is to be shown
    chosen = Signal(int)
    pressed = Signal()
    retryRequested = Signal()  # noqa: N815
    actionRequested = Signal(str)  # noqa: N815 - an Action
    watched = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("discover_pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._found = Found()
        self._is_opened = False
        self._left = QWidget(self)
        self._field = self._search_field()
        self._meter = Meter(theme, self._left)
        keep_room(self._meter)
        self._banner = Banner(theme, self._left)
        answer = answering(self.retryRequested.emit, self.actionRequested.emit)
        self._banner.actionTriggered.connect(answer)
        self._said = plain_label("", "quiet", self._left)
        self._said.setObjectName("discover_said")
        self._results = LineList(theme, _GATED, self._left)
        self._results.setObjectName("discover_results")
        self._results.setAccessibleName(self.tr("Models that were found"))
        self._results.picked.connect(self._pick)
        self._suggested = SuggestionColumn(theme, self._left, gets=False)
        self._suggested.setObjectName("discover_suggested")
        self._suggested.setAccessibleName(self.tr("Suggested models"))
        self._suggested.chosen.connect(self._pick_suggestion)
        self._heading = plain_label("", "lead", self._left)
        self._heading.setObjectName("discover_heading")
        self._about = plain_label("", "quiet", self._left)
        self._about.setObjectName("discover_about")
        self._opened = OpenedPane(theme, self)
        self._opened.chosen.connect(self.chosen)
        self._opened.pressed.connect(self.pressed)
        self._opened.backRequested.connect(self._go_back)
        self._opened.actionRequested.connect(answer)
        self._lay_out()
        self.setFocusProxy(self._field)
        self.show_found(self._found)
        self.show_opened(None)

    def show_found(self, found: Found) -> None:
        """Show a search; without one the suggestions stand in its place."""
        before, self._found = self._found, found
        if found.query != self._field.text().strip() and not self._typed.isActive():
            self._field.setText(found.query)
        self._meter.set_share(None if found.searching else 1.0)
        self._meter.setVisible(found.searching)
        if found.failure is None:
            self._banner.hide_error()
        elif found.failure != before.failure:
            self._banner.show_error(words(found.failure))
        self._said.setText(found_words(found))
        self._results.set_lines([model_line(model) for model in found.models or ()])
        self._show_suggestion(found)
        self._stack.setCurrentWidget(self._page if found.models else self._ideas)

    def show_opened(self, opened: Opened | None) -> None:
        """Show a model beside the list, or instead of it where there is no room."""
        self._is_opened = opened is not None
        if opened is not None:
            self._opened.show_opened(opened)
        model = opened.model.id if opened else ""
        models = [each.id for each in self._found.models or ()]
        self._results.set_current(models.index(model) if model in models else -1)
        self._suggested.set_chosen(model)
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        """Somebody looks."""
        super().showEvent(event)
        self._arrange()
        self.watched.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks any more."""
        super().hideEvent(event)
        self.watched.emit(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room one side has all of it."""
        super().resizeEvent(event)
        self._arrange()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The down arrow leads from the field into the list."""
        if event.key() == Qt.Key.Key_Down and self._field.hasFocus():
            self._focus_list()
        else:
            super().keyPressEvent(event)

    def _arrange(self) -> None:
        narrow = self.width() < WIDE
        self._left.setVisible(not (narrow and self._is_opened))
        self._opened.setVisible(self._is_opened)
        self._rule.setVisible(self._is_opened and not narrow)
        self._opened.set_back(narrow)
        beside = self._is_opened and not narrow
        self._left.setMaximumWidth(_LEFT if beside else COLUMN + 48)
        self._left.setMinimumWidth(_LEFT if beside else 0)
        for number in (0, 4):
            self._body.setStretch(number, 0 if self._is_opened else 1)
        self._body.setStretch(1, 0 if beside else 1000)
        self._body.setStretch(3, 1000 if self._is_opened else 0)

    def _show_suggestion(self, found: Found) -> None:
        suggestion = found.suggestion
        self._suggested.show_suggestion(suggestion)
        if suggestion is None:
            self._heading.setText(self.tr("Looking at this computer"))
            self._about.setText(self.tr("Models that suit it are suggested in a moment."))
        elif self._suggested.is_empty():
            self._heading.setText(self.tr("No suggestion"))
            self._about.setText(
                self.tr("None of the usual models fits into the memory. Search for a smaller one.")
            )
        else:
            self._heading.setText(self.tr("Suggested for this computer"))
            self._about.setText(self.tr("Chosen by its memory and its speed."))

    def _search_field(self) -> Field:
        field = Field(self._left)
        field.setObjectName("discover_field")
        field.setPlaceholderText(self.tr("Search for models"))
        field.setAccessibleName(self.tr("Search for models on the hub"))
        field.setFixedHeight(36)
        self._typed = QTimer(self)
        self._typed.setSingleShot(True)
        self._typed.setInterval(TYPED_MS)
        self._typed.timeout.connect(self._search)
        field.textEdited.connect(lambda _: self._typed.start())
        field.returnPressed.connect(self._search)
        field.escaped.connect(self._escape)
        return field

    def _search(self) -> None:
        self._typed.stop()
        self.searchRequested.emit(self._field.text())

    def _escape(self) -> None:
        """Esc empties the field, and closes the window where it is empty."""
        if self._field.text():
            self._field.setText("")
            self._search()
        else:
            self.window().close()

    def _pick(self, row: int) -> None:
        self.openRequested.emit(row)
        self._opened.take_focus()

    def _pick_suggestion(self, entry: CatalogEntry) -> None:
        self.suggestionRequested.emit(entry)
        self._opened.take_focus()

    def _go_back(self) -> None:
        if self.width() < WIDE:
            self.closeRequested.emit()
        self._focus_list()

    def _focus_list(self) -> None:
        if self._found.models:
            self._results.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            self._suggested.take_focus()

    def _lay_out(self) -> None:
        content = QWidget(self._left)
        content.setObjectName("discover_ideas")
        column = QVBoxLayout(content)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(4)
        column.addWidget(self._heading)
        column.addWidget(self._about)
        column.addSpacing(8)
        column.addWidget(self._suggested)
        column.addStretch(1)
        self._ideas = scroll_area("discover_area", content)
        self._page = QWidget(self._left)
        inside = QVBoxLayout(self._page)
        inside.setContentsMargins(12, 0, 12, 0)
        inside.addWidget(self._results)
        self._stack = QStackedWidget(self._left)
        self._stack.addWidget(self._ideas)
        self._stack.addWidget(self._page)
        self._lay_out_left()
        self._rule = QFrame(self)
        self._rule.setObjectName("hairline")
        self._rule.setFixedWidth(1)
        self._body = QHBoxLayout(self)
        self._body.setContentsMargins(0, 0, 0, 0)
        self._body.setSpacing(0)
        self._body.addStretch(1)
        for widget in (self._left, self._rule, self._opened):
            self._body.addWidget(widget)
        self._body.addStretch(1)

    def _lay_out_left(self) -> None:
        top = QVBoxLayout()
        top.setContentsMargins(24, 0, 24, 0)
        top.setSpacing(8)
        for widget in (self._field, self._meter, self._said):
            top.addWidget(widget)
        column = QVBoxLayout(self._left)
        column.setContentsMargins(0, 16, 0, 0)
        column.setSpacing(8)
        column.addLayout(top)
        column.addWidget(self._banner)
        column.addWidget(self._stack, 1)
