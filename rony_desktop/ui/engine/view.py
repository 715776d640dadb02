"""The page of the engine: the one in use, the installed builds, and those that could be had."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rony_desktop.contract.error import Action
from rony_desktop.ui.banner import Banner
from rony_desktop.ui.button import push_button
from rony_desktop.ui.engine.presenter import BuildState, Deed, Work
from rony_desktop.ui.engine.row import BuildRow
from rony_desktop.ui.engine.using import PREVIOUS, UsingCard
from rony_desktop.ui.engine.words import release_words, title, trust_words
from rony_desktop.ui.error import answering
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.room import scroll_area
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.token import COLUMN

AUTOMATIC = "auto"


class EnginePane(QWidget):
    """Shows a BuildState; rows are kept while their builds are the same."""

    useRequested = Signal(str)  # noqa: N815 - Qt's naming of signals
    installRequested = Signal(str)  # noqa: N815
    searchRequested = Signal()  # noqa: N815
    cancelRequested = Signal()  # noqa: N815
    restartRequested = Signal()  # noqa: N815
    retryRequested = Signal()  # noqa: N815
    actionRequested = Signal(str)  # noqa: N815

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("engine_pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._state = BuildState()
        self._rows: dict[str, BuildRow] = {}
        self._banner = Banner(theme, self)
        answer = answering(self.retryRequested.emit, self.actionRequested.emit)
        self._banner.actionTriggered.connect(answer)
        self._using = UsingCard(theme, self)
        self._using.backRequested.connect(lambda: self.useRequested.emit(PREVIOUS))
        self._using.restartRequested.connect(self.restartRequested)
        self._using.settingsRequested.connect(lambda: self.actionRequested.emit(Action.OPEN_CONFIG))
        self._lists = QWidget(self)
        self._installed = QVBoxLayout()
        self._available = QVBoxLayout()
        self._none = plain_label("", "quiet", self)
        self._none.setObjectName("engine_none")
        self._search = push_button("", "outline", "engine_search", self)
        self._search.setFixedHeight(32)
        self._search.clicked.connect(self._press_search)
        self._lay_out()
        self.show_builds(self._state)

    def show_builds(self, state: BuildState) -> None:
        """Show it."""
        before, self._state = self._state, state
        self._using.show_builds(state)
        self._lists.setVisible(state.overview is not None)
        if state.overview is not before.overview:
            self._fill()
        blocked = bool(state.overview and state.overview.fixed)
        for name, row in self._rows.items():
            mine = state.work if state.work and state.work.name == name else None
            own = blocked and not row.property("release")
            row.show_work(mine, busy=state.work is not None, blocked=own)
        self._show_search(state.work)
        if state.failure is not before.failure:
            self._banner.show_failure(state.failure)

    def _fill(self) -> None:
        """Make the rows anew; the keys stay with the build that has them."""
        focused = self.focusWidget()
        held = next((n for n, row in self._rows.items() if row.isAncestorOf(focused)), "")
        self._make_rows()
        if held and self.isVisible():
            self._rows.get(held, self._search).setFocus()

    def _make_rows(self) -> None:
        for row in self._rows.values():
            row.hide()
            row.deleteLater()
        self._rows.clear()
        overview = self._state.overview
        if overview is None:
            return
        chosen = "" if overview.fixed else overview.chosen
        automatic = self._row(AUTOMATIC, self._installed)
        automatic.show_build(
            self.tr("Automatic"),
            self.tr("The engine that came with the program, else one that is found here."),
        )
        there = {build.id for build in overview.installed}
        in_use = self.tr("Chosen")
        free = not overview.fixed and chosen not in there
        automatic.set_verb(self.tr("Use"), in_use if free else "")
        for build in overview.installed:
            row = self._row(build.id, self._installed)
            row.show_build(title(build), self.tr("Computes here"), trust_words(pinned=build.pinned))
            row.set_verb(self.tr("Use"), in_use if build.id == chosen else "")
        for release in overview.available:
            row = self._row(release.id, self._available)
            row.setProperty("release", True)
            row.show_build(
                title(release), release_words(release), trust_words(pinned=release.pinned), "warn"
            )
            row.set_verb(self.tr("Install"))
        self._none.setText("" if overview.available else self._nothing_words())
        self._none.setVisible(not overview.available)

    def _nothing_words(self) -> str:
        overview = self._state.overview
        if overview is None or not overview.installed:
            return self.tr("No build for this computer is known.")
        if self._state.searched:
            return self.tr("What is published for this computer is installed already.")
        return self.tr("The builds the program knows are installed already.")

    def _row(self, name: str, column: QVBoxLayout) -> BuildRow:
        row = BuildRow(self._theme, name, self)
        row.pressed.connect(self._press)
        row.cancelled.connect(self.cancelRequested)
        column.addWidget(row)
        row.show()
        self._rows[name] = row
        return row

    def _press(self, name: str) -> None:
        row = self._rows[name]
        asked = self.installRequested if row.property("release") else self.useRequested
        asked.emit(name)

    def _show_search(self, work: Work | None) -> None:
        mine = bool(work and work.deed is Deed.SEARCH)
        text = self.tr("Cancel") if mine else self.tr("Look for newer builds")
        self._search.setText(text)
        self._search.setAccessibleName(text)
        free = not work.stopping if work and mine else work is None
        self._search.setEnabled(free)

    def _press_search(self) -> None:
        work = self._state.work
        asked = self.cancelRequested if work and work.deed is Deed.SEARCH else self.searchRequested
        asked.emit()

    def _lay_out(self) -> None:
        page = QWidget(self)
        page.setObjectName("engine_page")
        inner = QWidget(page)
        inner.setMaximumWidth(COLUMN)
        outer = QVBoxLayout(inner)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(24)
        outer.addWidget(self._using)
        outer.addWidget(self._lists)
        outer.addStretch(1)
        column = QVBoxLayout(self._lists)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._heading(self.tr("Installed")))
        column.addSpacing(8)
        column.addLayout(self._installed)
        column.addSpacing(16)
        column.addLayout(self._more())
        column.addSpacing(8)
        column.addLayout(self._available)
        column.addWidget(self._none)
        for rows in (self._installed, self._available):
            rows.setSpacing(0)
        line = QHBoxLayout(page)
        line.setContentsMargins(24, 16, 24, 24)
        line.addStretch(1)
        line.addWidget(inner, 1000)
        line.addStretch(1)
        area = scroll_area("engine_area", page)
        outside = QVBoxLayout(self)
        outside.setContentsMargins(0, 0, 0, 0)
        outside.setSpacing(0)
        outside.addWidget(self._banner)
        outside.addWidget(area, 1)

    def _more(self) -> QHBoxLayout:
        about = plain_label(
            self.tr(
                "Looking asks the site that publishes the engine; it learns your address, as every "
                "site does, and nothing of your chats."
            ),
            "hint",
            self,
        )
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(self._heading(self.tr("For this computer")))
        words.addWidget(about)
        line = QHBoxLayout()
        line.setSpacing(24)
        line.addLayout(words, 1)
        line.addWidget(self._search, 0, Qt.AlignmentFlag.AlignTop)
        return line

    def _heading(self, text: str) -> QLabel:
        return plain_label(text, "lead", self)
