"""The wizard's dialog: one page at a time, one thing to do on each."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from rony_desktop.contract.hub import CatalogEntry
from rony_desktop.ui.banner import Banner
from rony_desktop.ui.button import push_button
from rony_desktop.ui.download.words import share_of
from rony_desktop.ui.dress import dress
from rony_desktop.ui.error import answering, words
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.room import scroll_area
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.wizard.page import ChoosePage, ComputerPage, WayPage
from rony_desktop.ui.wizard.presenter import Page, WizardState
from rony_desktop.ui.wizard.words import found_text, heading, step_text, tuning_text, way_text

SIZE = (620, 560)
SMALLEST = (440, 400)


class WizardDialog(QDialog):
    """Shows a WizardState; Esc closes, and a download goes on.

    otherRequested: the user would rather look for a model. closed tells that it was closed.
    """

    nextRequested = Signal()  # noqa: N815 - Qt's naming of signals
    backRequested = Signal()  # noqa: N815
    skipRequested = Signal()  # noqa: N815
    cancelRequested = Signal()  # noqa: N815
    retryRequested = Signal()  # noqa: N815
    otherRequested = Signal()  # noqa: N815
    actionRequested = Signal(str)  # noqa: N815 - an Action
    chosen = Signal(CatalogEntry)
    closed = Signal()

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("wizard")
        self.setWindowTitle(self.tr("Find a model"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumSize(*SMALLEST)
        room = window.screen().availableSize()
        self.resize(min(SIZE[0], room.width()), min(SIZE[1], room.height() - 40))
        self._state = WizardState()
        self._step = plain_label("", "hint", self)
        self._title = plain_label("", "display", self)
        self._title.setFont(theme.font("title", strong=True))
        self._sentence = plain_label("", "quiet", self)
        self._banner = Banner(theme, self)
        answer = answering(self.retryRequested.emit, self.actionRequested.emit)
        self._banner.actionTriggered.connect(answer)
        self._computer = ComputerPage(theme, self)
        self._choose = ChoosePage(theme, self)
        self._choose.chosen.connect(self.chosen)
        self._download = WayPage(theme, "download", self)
        self._tune = WayPage(theme, "tune", self)
        self._ready = WayPage(theme, "ready", self)
        self._pages: dict[Page, QWidget] = {
            Page.COMPUTER: self._computer,
            Page.CHOOSE: self._choose,
            Page.DOWNLOAD: self._download,
            Page.TUNE: self._tune,
            Page.READY: self._ready,
        }
        self._second = push_button("", "outline", "wizard_second", self)
        self._first = push_button("", "primary", "wizard_first", self)
        self._second.clicked.connect(self._press_second)
        self._first.clicked.connect(self._press_first)
        self._lay_out()
        self.finished.connect(lambda _: self.closed.emit())
        self.show_state(self._state)
        self._focus(self._state.page)

    def show_state(self, state: WizardState) -> None:
        """Show where it stands."""
        before, self._state = self._state, state
        title, sentence = heading(state)
        self._step.setText(step_text(state.page))
        self._step.setVisible(bool(step_text(state.page)))
        self._title.setText(title)
        self._sentence.setText(sentence)
        self._sentence.setVisible(bool(sentence))
        self._stack.setCurrentIndex(list(self._pages).index(state.page))
        self._computer.show_state(state)
        self._choose.show_state(state)
        self._show_way(state)
        self._ready.show_way(found_text(state), 1.0)
        self._show_buttons(state)
        if state.failure is None:
            self._banner.hide_error()
        elif state.failure != before.failure:
            self._banner.show_error(words(state.failure))
        if state.page is not before.page:
            self._focus(state.page)

    def _show_way(self, state: WizardState) -> None:
        download = state.download
        if download and state.busy and state.page is Page.DOWNLOAD:
            self._download.show_way(self.tr("Loading the model"), None)
        elif download:
            self._download.show_way(way_text(download), share_of(download))
        done, every = state.runs
        self._tune.show_way(tuning_text(state), done / every if every else None)

    def _show_buttons(self, state: WizardState) -> None:
        texts = {
            Page.COMPUTER: (self.tr("Close"), self.tr("Show models")),
            Page.CHOOSE: (self.tr("Back"), self.tr("Look for others")),
            Page.DOWNLOAD: (self.tr("Cancel download"), self.tr("Go on in the background")),
            Page.TUNE: (self.tr("Skip"), self.tr("Tune")),
            Page.READY: ("", self.tr("Start chatting")),
        }[state.page]
        for button, text in zip((self._second, self._first), texts, strict=True):
            button.setText(text)
            button.setAccessibleName(text)
            button.setVisible(bool(text))
        # The suggestions have the one button that calls for the eye.
        look = "outline" if state.page is Page.CHOOSE else "primary"
        dress(self._first, "look", look)
        self._first.setEnabled(not (state.page is Page.TUNE and state.busy))

    def _focus(self, page: Page) -> None:
        if page is Page.CHOOSE:
            self._choose.focus()
        else:
            self._first.setFocus()

    def _press_first(self) -> None:
        page = self._state.page
        if page is Page.CHOOSE:
            self.otherRequested.emit()
        elif page in (Page.DOWNLOAD, Page.READY):
            self.close()
        else:
            self.nextRequested.emit()

    def _press_second(self) -> None:
        page = self._state.page
        if page is Page.COMPUTER:
            self.close()
        elif page is Page.CHOOSE:
            self.backRequested.emit()
        elif page is Page.DOWNLOAD:
            self.cancelRequested.emit()
        else:
            self.skipRequested.emit()

    def _lay_out(self) -> None:
        self._stack = QStackedWidget(self)
        for page in self._pages.values():
            self._stack.addWidget(_area(page))
        head = QVBoxLayout()
        head.setContentsMargins(24, 24, 24, 0)
        head.setSpacing(4)
        for label in (self._step, self._title, self._sentence):
            head.addWidget(label)
        body = QVBoxLayout()
        body.setContentsMargins(24, 24, 24, 16)
        body.addWidget(self._stack)
        foot = QHBoxLayout()
        foot.setContentsMargins(24, 12, 24, 12)
        foot.setSpacing(8)
        foot.addStretch(1)
        foot.addWidget(self._second)
        foot.addWidget(self._first)
        rule = QFrame(self)
        rule.setObjectName("hairline")
        rule.setFixedHeight(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._banner)
        column.addLayout(body, 1)
        column.addWidget(rule)
        column.addLayout(foot)


def _area(page: QWidget) -> QScrollArea:
    """A page that scrolls where the dialog is too small for it."""
    page.setObjectName("wizard_page")
    return scroll_area("wizard_area", page)
