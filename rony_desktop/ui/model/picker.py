"""The model picker: a panel under the header's button, with every model of this computer."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListView,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from rony_desktop.contract.launch import Offer
from rony_desktop.contract.model import ModelRef
from rony_desktop.ui.button import push_button
from rony_desktop.ui.dress import dress
from rony_desktop.ui.field import Field
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.model.offer import ROW, OfferDelegate, OfferModel
from rony_desktop.ui.model.panel import Panel
from rony_desktop.ui.theme import Theme

WIDTH = 560
MOST_ROWS = 7
FEW = 6  # so many models are found without a field
_END = 1 << 16
_STEPS = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: MOST_ROWS,
    Qt.Key.Key_PageUp: -MOST_ROWS,
    Qt.Key.Key_Home: -_END,
    Qt.Key.Key_End: _END,
}


class ModelPicker(Panel):
    """Typing filters, arrows move, Enter chooses, Esc closes.

    chosen tells the path or id of a model, asked one of "wizard", "installed", "file" and "plan".
    """

    chosen = Signal(str)
    asked = Signal(str)

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(theme, window)
        self.setObjectName("model_picker")
        self.setAccessibleName(self.tr("Models"))
        self._field = Field(self.frame)
        self._field.setObjectName("model_filter")
        self._field.setPlaceholderText(self.tr("Find a model"))
        self._field.setAccessibleName(self.tr("Find a model"))
        self._field.textChanged.connect(self._filtered)
        self._field.escaped.connect(self.close)
        self._field.installEventFilter(self)
        self._model = OfferModel(self)
        self._list = self._make_list(theme)
        self._nothing = plain_label("", "quiet")
        self._nothing.setObjectName("model_nothing")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._nothing.setContentsMargins(16, 8, 16, 8)
        self._pages = QStackedWidget(self.frame)
        self._pages.addWidget(self._list)
        self._pages.addWidget(self._nothing)
        self._buttons: dict[str, QPushButton] = {}
        self._rows = 0
        self._lay_out(theme)

    def show_models(self, models: Sequence[ModelRef], current: str) -> None:
        """Show the models to choose from."""
        self._rows = len(models)
        self._model.set_models(models, current)
        self._field.setVisible(self._rows > FEW)
        self._buttons["plan"].setVisible(bool(models))
        dress(self._buttons["wizard"], "look", "" if models else "primary")
        self._settle()
        self.place()
        if self.isVisible():
            self._first().setFocus(Qt.FocusReason.PopupFocusReason)

    def take(self, offer: Offer) -> None:
        """Say what is known of a model now."""
        self._model.take(offer)
        self._speak()

    def open_under(self, anchor: QWidget) -> None:
        """Open below a widget, and take the keys."""
        super().open_under(anchor)
        self._first().setFocus(Qt.FocusReason.PopupFocusReason)

    def fit(self, room: QSize) -> None:
        """Show as many rows as there is room for."""
        self.frame.setFixedWidth(min(WIDTH, room.width()))
        self._pages.setFixedHeight(ROW)
        around = self.frame.sizeHint().height() - ROW
        least = min(max(self._rows, 1), MOST_ROWS)
        self._pages.setFixedHeight(max(1, min(least, (room.height() - around) // ROW)) * ROW)
        self.frame.adjustSize()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move in the list from the field; Enter chooses from both."""
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        if watched not in (self._field, self._list):
            return super().eventFilter(watched, event)
        key = Qt.Key(event.key())
        if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._choose(self._list.currentIndex())
            return True
        if watched is self._field and key in _STEPS:
            self._move(_STEPS[key])
            return True
        typed = event.text() if event.text().isprintable() else ""
        if watched is self._list and typed and self._field.isVisible():
            self._field.setFocus()
            self._field.insert(typed)
            return True
        return super().eventFilter(watched, event)

    def _make_list(self, theme: Theme) -> QListView:
        view = QListView()
        view.setObjectName("model_list")
        view.setAccessibleName(self.tr("Models"))
        view.setModel(self._model)
        view.setItemDelegate(OfferDelegate(theme, view))
        view.setUniformItemSizes(True)
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        view.verticalScrollBar().setSingleStep(ROW // 2)
        view.viewport().setAttribute(Qt.WidgetAttribute.WA_Hover)
        view.clicked.connect(self._choose)
        view.selectionModel().currentChanged.connect(self._speak)
        view.installEventFilter(self)
        return view

    def _lay_out(self, theme: Theme) -> None:
        column = QVBoxLayout(self.frame)
        column.setContentsMargins(1, 8, 1, 8)
        column.setSpacing(8)
        line = QHBoxLayout()
        line.setContentsMargins(8, 0, 8, 0)
        line.addWidget(self._field)
        column.addLayout(line)
        column.addWidget(self._pages)
        rule = QFrame(self.frame)
        rule.setObjectName("hairline")
        rule.setFixedHeight(1)
        column.addWidget(rule)
        foot = QHBoxLayout()
        foot.setContentsMargins(8, 0, 8, 0)
        foot.setSpacing(4)
        for name, text in (
            ("wizard", self.tr("Find a model…")),
            ("installed", self.tr("Models…")),
            ("file", self.tr("Choose a file…")),
            ("plan", self.tr("Plan and memory…")),
        ):
            button = push_button(text, "", f"picker_{name}", self.frame)
            button.setFont(theme.font("label"))
            button.clicked.connect(lambda _=False, what=name: self._ask(what))
            self._buttons[name] = button
            foot.addWidget(button)
        self._buttons["wizard"].setToolTip(self.tr("Find a model (Ctrl+Shift+L)"))
        self._buttons["installed"].setToolTip(self.tr("Models (Ctrl+Shift+M)"))
        foot.addStretch(1)
        column.addLayout(foot)

    def _first(self) -> QWidget:
        """What the keys go to: the field, else the list, else the one thing that can be done."""
        if self._rows > FEW:
            return self._field
        return self._list if self._rows else self._buttons["wizard"]

    def _filtered(self, text: str) -> None:
        self._model.set_filter(text)
        self._settle()

    def _settle(self) -> None:
        count = self._model.rowCount()
        none = self.tr("There is no model on this computer yet. Find one, or choose a GGUF file.")
        self._nothing.setText(self.tr("No model has that name.") if self._rows else none)
        self._pages.setCurrentWidget(self._list if count else self._nothing)
        if count:
            self._list.setCurrentIndex(self._model.index(self._model.current_row()))
        self._speak()

    def _speak(self) -> None:
        """Let a screen reader say the row Enter chooses, while the keys are in the field."""
        index = self._list.currentIndex()
        spoken = self._model.row(index).spoken if index.isValid() else self._nothing.text()
        self._field.setAccessibleDescription(spoken)

    def _move(self, step: int) -> None:
        count = self._model.rowCount()
        if count:
            row = min(max(self._list.currentIndex().row() + step, 0), count - 1)
            self._list.setCurrentIndex(self._model.index(row))

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            model = self._model.row(index).model
            self.close()
            self.chosen.emit(str(model.path or model.id))

    def _ask(self, what: str) -> None:
        self.close()
        self.asked.emit(what)
