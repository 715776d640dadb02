"""The model picker: a panel under the header's button, with every model of this computer."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QListView, QVBoxLayout, QWidget

from rony_desktop.contract.launch import Offer
from rony_desktop.contract.model import ModelRef
from rony_desktop.ui.button import push_button
from rony_desktop.ui.field import Field
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.model.offer import ROW, OfferDelegate, OfferModel
from rony_desktop.ui.theme import Theme

WIDTH = 520
MOST_ROWS = 7
_STEPS = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: MOST_ROWS,
    Qt.Key.Key_PageUp: -MOST_ROWS,
}


class ModelPicker(QFrame):
    """Typing filters, arrows move, Enter chooses, Esc closes.

    chosen tells the path or id of a model, asked one of "file", "plan", "speed" and "doctor".
    """

    chosen = Signal(str)
    asked = Signal(str)
    closed = Signal()

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window, Qt.WindowType.Popup)
        self.setObjectName("model_picker")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(self.tr("Models"))
        self._field = Field(self)
        self._field.setObjectName("model_filter")
        self._field.setPlaceholderText(self.tr("Find a model"))
        self._field.setAccessibleName(self.tr("Find a model"))
        self._field.textChanged.connect(self._filtered)
        self._field.escaped.connect(self.close)
        self._field.installEventFilter(self)
        self._model = OfferModel(self)
        self._list = QListView(self)
        self._list.setObjectName("model_list")
        self._list.setAccessibleName(self.tr("Models"))
        self._list.setModel(self._model)
        self._list.setItemDelegate(OfferDelegate(theme, self._list))
        self._list.setUniformItemSizes(True)
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.clicked.connect(self._choose)
        self._list.installEventFilter(self)
        self._nothing = plain_label("", "quiet", self)
        self._nothing.setObjectName("model_nothing")
        self._lay_out(theme)

    def show_models(self, models: Sequence[ModelRef], current: str) -> None:
        """Show the models to choose from."""
        self._model.set_models(models, current)
        rows = min(max(len(models), 1), MOST_ROWS)
        self._list.setFixedHeight(rows * ROW)
        self._settle(none_at_all=not models)

    def take(self, offer: Offer) -> None:
        """Say what is known of a model now."""
        self._model.take(offer)

    def open_under(self, corner: QPoint) -> None:
        """Open with the right upper corner at a point of the screen, and take the keys."""
        self.setFixedWidth(min(WIDTH, self.screen().availableSize().width() - 16))
        self.adjustSize()
        left = max(self.screen().availableGeometry().left() + 8, corner.x() - self.width())
        self.move(left, corner.y())
        self.show()
        self._field.setFocus(Qt.FocusReason.PopupFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move in the list from the field; Enter chooses from both."""
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        key = Qt.Key(event.key())
        if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._choose(self._list.currentIndex())
            return True
        if key == Qt.Key.Key_Escape:
            self.close()
            return True
        if watched is self._field and key in _STEPS:
            self._move(_STEPS[key])
            return True
        if watched is self._list and event.text().isprintable() and event.text():
            self._field.setFocus()
            self._field.insert(event.text())
            return True
        return super().eventFilter(watched, event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Tell that it is closed, however that was done."""
        super().hideEvent(event)
        self.closed.emit()

    def _lay_out(self, theme: Theme) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 8)
        column.setSpacing(8)
        line = QHBoxLayout()
        line.setContentsMargins(8, 0, 8, 0)
        line.addWidget(self._field)
        column.addLayout(line)
        column.addWidget(self._list)
        self._nothing.setContentsMargins(16, 4, 16, 4)
        column.addWidget(self._nothing)
        rule = QFrame(self)
        rule.setObjectName("hairline")
        rule.setFixedHeight(1)
        column.addWidget(rule)
        foot = QHBoxLayout()
        foot.setContentsMargins(8, 0, 8, 0)
        foot.setSpacing(4)
        for name, text in (
            ("file", self.tr("Choose a file…")),
            ("plan", self.tr("Plan")),
            ("speed", self.tr("Speed")),
            ("doctor", self.tr("Check this computer")),
        ):
            button = push_button(text, "plain", f"picker_{name}", self)
            button.setFont(theme.font("label"))
            button.clicked.connect(lambda _=False, what=name: self._ask(what))
            foot.addWidget(button)
        foot.addStretch(1)
        column.addLayout(foot)

    def _filtered(self, text: str) -> None:
        self._model.set_filter(text)
        self._settle()

    def _settle(self, *, none_at_all: bool = False) -> None:
        count = self._model.rowCount()
        if none_at_all:
            self._nothing.setText(self.tr("There is no model yet. Choose a GGUF file."))
        else:
            self._nothing.setText(self.tr("No model has that name."))
        self._nothing.setVisible(not count)
        self._list.setVisible(bool(count) or not none_at_all)
        if count:
            self._list.setCurrentIndex(self._model.index(self._model.current_row()))

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
