"""The page of the models that are here, and the pages beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from rony_desktop.contract.error import Failure
from rony_desktop.contract.launch import Fit, Offer
from rony_desktop.contract.model import ModelRef
from rony_desktop.contract.root import RootState
from rony_desktop.ui.banner import Banner
from rony_desktop.ui.button import page_button
from rony_desktop.ui.error import answering
from rony_desktop.ui.field import Field
from rony_desktop.ui.file import choose_model
from rony_desktop.ui.installed.blank import Blank
from rony_desktop.ui.installed.detail import Detail
from rony_desktop.ui.installed.duplicate_view import DuplicatePage
from rony_desktop.ui.installed.foreign_view import ForeignPage
from rony_desktop.ui.installed.listing import Listing
from rony_desktop.ui.installed.presenter import Asked, Group
from rony_desktop.ui.installed.revision_view import RevisionPage
from rony_desktop.ui.installed.row import Row
from rony_desktop.ui.installed.words import model_row, place_text, root_key, root_row, sum_words
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.room import scroll_area
from rony_desktop.ui.theme import Theme

_LEAST = 88  # pixels of the list that are always seen: a row, and that there are more
_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 5, Qt.Key.Key_PageUp: -5}


class InstalledPane(QWidget):
    """Signals tell the path of the chosen model; the pages beside it and detail have their own."""

    chosen = Signal(str)
    useRequested = Signal(str)  # noqa: N815 - Qt's naming of signals
    planRequested = Signal(str)  # noqa: N815
    revealRequested = Signal(str)  # noqa: N815
    deleteRequested = Signal(str)  # noqa: N815
    addRequested = Signal(str)  # noqa: N815
    lookRequested = Signal()  # noqa: N815
    discoverRequested = Signal()  # noqa: N815
    foreignRequested = Signal()  # noqa: N815
    duplicatesRequested = Signal()  # noqa: N815
    revisionsRequested = Signal()  # noqa: N815
    actionRequested = Signal(str)  # noqa: N815

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("installed_pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._groups: tuple[Group, ...] = ()
        self._models: dict[Path, ModelRef] = {}
        self._offers: dict[Path, Offer] = {}
        self._current: Path | None = None
        self._banner = Banner(theme, self)
        answer = answering(self.lookRequested.emit, self.actionRequested.emit)
        self._banner.actionTriggered.connect(answer)
        self._field = Field(self)
        self._field.setObjectName("installed_filter")
        self._field.setPlaceholderText(self.tr("Filter by name"))
        self._field.setAccessibleName(self.tr("Filter by name"))
        self._field.installEventFilter(self)
        self._field.setFixedHeight(32)
        self._sum = plain_label("", "hint", self)
        self._sum.setObjectName("installed_sum")
        self._list = Listing(theme, "installed_list", self.tr("Models of this computer"), self)
        self.detail = Detail(theme, self)
        self._blank = Blank(self)
        self.foreign = ForeignPage(theme, self)
        self.duplicates = DuplicatePage(theme, self)
        self.revisions = RevisionPage(theme, self)
        self._lay_out()
        self._tie()
        self.show_looking()

    def show_looking(self) -> None:
        """Say that it is looked for models, where none is shown yet."""
        if not self._groups:
            self._blank.set_looking(True)
            self._inner.setCurrentWidget(self._blank)

    def show_groups(self, groups: Sequence[Group], chosen: Path | None) -> None:
        """Show all that is there; chosen is to be chosen, None: as it was."""
        self._groups = tuple(groups)
        self._models = models = {m.path: m for g in groups for m in g.models if m.path}
        self._offers = {path: self._offers[path] for path in models if path in self._offers}
        self._blank.set_looking(False)
        worth = any(g.models or g.root.state is not RootState.READY for g in groups)
        self._inner.setCurrentWidget(self._area if worth else self._blank)
        size = sum(model.size_bytes for model in models.values())
        self._sum.setText(sum_words(len(models), size) if models else "")
        # Opened anew it begins with the model in use.
        self._fill(str(chosen or ("" if self._list.key() else self._current or "")))

    def show_offer(self, offer: Offer) -> None:
        """Say how a model fits."""
        path = offer.model.path
        model = self._models.get(path) if path else None
        if path and model:
            self._offers[path] = offer
            self._list.rows.put(model_row(model, offer, current=path == self._current))
            if self._list.key() == str(path):
                self._show_detail()

    def show_current(self, path: Path | None) -> None:
        """Say which model is in use."""
        before, self._current = self._current, path
        for changed in {before, path}:
            if changed and (model := self._models.get(changed)):
                offer = self._offers.get(changed)
                self._list.rows.put(model_row(model, offer, current=changed == path))
        self._show_detail()

    def show_asked(self, asked: Asked | None) -> None:
        """Ask whether to delete a model; None: the list has the keys again."""
        was = self.detail.is_asking()
        self.detail.show_asked(asked)
        if was and asked is None:
            self._list.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_failure(self, failure: Failure | None) -> None:
        """Say what went wrong; None: nothing did."""
        self._banner.show_failure(failure)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc goes back, or keeps a model; where there is neither the dialog has it."""
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self._outer.currentWidget() is not self._inner:
            self._back()
        elif self.detail.is_asking():
            self.detail.keepRequested.emit()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move in the list from the field, and take from it."""
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        key = Qt.Key(event.key())
        if key in _STEPS:
            self._list.step(_STEPS[key])
            return True
        if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._use(self._list.key())
            return True
        return super().eventFilter(watched, event)

    def _lay_out(self) -> None:
        self._page = QWidget(self)
        self._page.setObjectName("installed_page")
        column = QVBoxLayout(self._page)
        column.setContentsMargins(0, 16, 0, 0)
        column.setSpacing(8)
        column.addLayout(self._head())
        rows = QHBoxLayout()
        rows.setContentsMargins(12, 0, 12, 0)
        self._nothing = plain_label(self.tr("No model has that name."), "quiet", self)
        self._nothing.setObjectName("installed_nothing")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        rows.addWidget(self._list)
        rows.addWidget(self._nothing)
        column.addLayout(rows, 1)
        column.addWidget(self.detail)
        self._list.setMinimumHeight(_LEAST)
        # A banner, a large font or a small window may need more height than there is.
        area = self._area = scroll_area("installed_area", self._page)
        self._inner = QStackedWidget(self)
        self._inner.addWidget(self._blank)
        self._inner.addWidget(area)
        self._outer = QStackedWidget(self)
        for page in (self._inner, self.foreign, self.duplicates, self.revisions):
            self._outer.addWidget(page)
        outside = QVBoxLayout(self)
        outside.setContentsMargins(0, 0, 0, 0)
        outside.setSpacing(0)
        outside.addWidget(self._banner)
        outside.addWidget(self._outer, 1)

    def _head(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(8)
        more = (
            (self.tr("From other programs"), "foreign", self._open_foreign),
            (self.tr("Add a file…"), "file", self.choose_file),
        )
        column.addLayout(self._line(self._field, 24, "outline", more))
        about = (
            (self.tr("Newer revisions"), "revisions", self._open_revisions),
            (self.tr("Find duplicates"), "duplicates", self._open_duplicates),
            (self.tr("Look again"), "again", self.lookRequested.emit),
        )
        column.addLayout(self._line(self._sum, 18, "small", about))
        return column

    def _line(
        self,
        lead: QWidget,
        right: int,
        look: str,
        tools: Sequence[tuple[str, str, Callable[[], object]]],
    ) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setContentsMargins(24, 0, right, 0)
        line.setSpacing(8)
        line.addWidget(lead, 1)
        for text, name, do in tools:
            height = 24 if look == "small" else 32
            tool = page_button(text, look, f"installed_{name}", self, height)
            tool.clicked.connect(do)
            line.addWidget(tool)
        return line

    def _tie(self) -> None:
        self._field.textChanged.connect(self._list.filter)
        self._field.escaped.connect(self._field.clear)
        self._list.moved.connect(self._moved)
        self._list.taken.connect(self._use)
        self._list.deleted.connect(self._ask_delete)
        self._list.typed.connect(self._typed)
        detail, key = self.detail, self._list.key
        detail.useRequested.connect(lambda: self._use(key()))
        detail.planRequested.connect(lambda: self.planRequested.emit(key()))
        detail.revealRequested.connect(lambda: self.revealRequested.emit(key()))
        detail.deleteRequested.connect(lambda: self._ask_delete(key()))
        detail.lookRequested.connect(self.lookRequested)
        self._blank.discoverRequested.connect(self.discoverRequested)
        self._blank.foreignRequested.connect(self._open_foreign)
        self._blank.fileRequested.connect(self.choose_file)
        for page in (self.foreign, self.duplicates, self.revisions):
            page.backRequested.connect(self._back)

    def choose_file(self) -> None:
        """Ask for a model file; the answer comes by addRequested."""
        choose_model(self, self.tr("Add a model"), self.addRequested.emit)

    def _fill(self, key: str) -> None:
        rows: list[Row] = []
        for group in self._groups:
            rows.append(root_row(group.root))
            for model in group.models:
                path = model.path or Path()
                offer = self._offers.get(path)
                rows.append(model_row(model, offer, current=path == self._current))
        self._list.show_rows(rows, key)

    def _moved(self, key: str) -> None:
        if self.detail.is_asking():
            self.detail.keepRequested.emit()
        self._show_detail()
        self.chosen.emit(key if self._model(key) else "")

    def _model(self, key: str) -> ModelRef | None:
        return self._models.get(Path(key)) if key else None

    def _show_detail(self) -> None:
        key = self._list.key()
        model = self._model(key)
        self.detail.setVisible(bool(key))
        self._list.setVisible(bool(key))
        self._nothing.setVisible(not key)
        if model and model.path:
            offer = self._offers.get(model.path)
            usable = offer is None or offer.fit is not Fit.UNUSABLE
            row = model_row(model, offer, current=False)
            current = model.path == self._current
            self.detail.show_model(
                row.title, place_text(model.path), current=current, usable=usable
            )
        elif key:
            root = next(g.root for g in self._groups if root_key(g.root) == key)
            row = root_row(root)
            self.detail.show_away(row.title, row.detail)

    def _use(self, key: str) -> None:
        model = self._model(key)
        if model is None:
            if key:
                self.lookRequested.emit()
            return
        offer = self._offers.get(model.path or Path())
        unusable = offer is not None and offer.fit is Fit.UNUSABLE
        if model.path != self._current and not unusable:
            self.useRequested.emit(key)

    def _ask_delete(self, key: str) -> None:
        if self._model(key):
            self.deleteRequested.emit(key)

    def _typed(self, text: str) -> None:
        self._field.setFocus()
        self._field.insert(text)

    def _open_foreign(self) -> None:
        self._outer.setCurrentWidget(self.foreign)
        self.foreign.take_focus()
        self.foreignRequested.emit()

    def _open_duplicates(self) -> None:
        self._outer.setCurrentWidget(self.duplicates)
        self.duplicates.take_focus()
        self.duplicatesRequested.emit()

    def _open_revisions(self) -> None:
        self._outer.setCurrentWidget(self.revisions)
        self.revisions.take_focus()
        self.revisionsRequested.emit()

    def _back(self) -> None:
        self._outer.setCurrentWidget(self._inner)
        self._list.setFocus()
