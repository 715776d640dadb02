"""Real buttons over the painted transcript: copy, fold, and the one button of an error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from PySide6.QtCore import QObject, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from rony_desktop.ui.chat.item import Item
from rony_desktop.ui.chat.piece import Piece
from rony_desktop.ui.icon import icon
from rony_desktop.ui.theme import Theme

_COPIED_MS = 1_500


class ControlKind(StrEnum):
    """What a button over the transcript does."""

    COPY_CODE = "copy_code"
    COPY_MESSAGE = "copy_message"
    FOLD = "fold"
    CALL = "call"
    ERROR = "error_action"


_LOOKS = {ControlKind.ERROR: "primary", ControlKind.FOLD: "fold", ControlKind.CALL: "call"}


@dataclass(frozen=True, slots=True)
class Control:
    """One button with its place; key is the same as long as it is the same button."""

    key: tuple[int, int, ControlKind]
    kind: ControlKind
    place: QRect
    text: str
    name: str
    icon: str = ""
    tip: str = ""
    item: Item = field(kw_only=True, compare=False)
    piece: Piece = field(kw_only=True, compare=False)

    @property
    def face(self) -> tuple[str, str, str, str]:
        """What of it is seen or read out."""
        return self.text, self.name, self.icon, self.tip


class Overlay(QObject):
    """Keeps the buttons that are in sight; they are children of the viewport."""

    pressed = Signal(object)

    def __init__(self, theme: Theme, viewport: QWidget) -> None:
        super().__init__(viewport)
        self._theme = theme
        self._viewport = viewport
        self._view = viewport.parentWidget() or viewport
        self._buttons: dict[tuple[int, int, ControlKind], QPushButton] = {}
        self._controls: dict[tuple[int, int, ControlKind], Control] = {}

    def show(self, controls: Sequence[Control]) -> None:
        """Have these buttons and no others."""
        wanted = {control.key: control for control in controls}
        for key in self._buttons.keys() - wanted.keys():
            button = self._buttons.pop(key)
            if button.hasFocus():
                self._view.setFocus()
            button.hide()
            button.deleteLater()
        fresh = wanted.keys() - self._buttons.keys()
        for key, control in wanted.items():
            button = self._buttons.get(key) or self._make(control)
            self._buttons[key] = button
            before = self._controls.get(key)
            if before is None or before.face != control.face:
                self._dress(button, control)
            if button.geometry() != control.place:
                button.setGeometry(control.place)
        self._controls = wanted
        if fresh:
            self._order()

    @property
    def last(self) -> QWidget:
        """Where Tab goes on from: the last button, else the conversation itself."""
        return self._buttons[max(self._buttons)] if self._buttons else self._view

    def _order(self) -> None:
        """Let Tab go through them from top to bottom, right after the conversation."""
        before = self._view
        for key in sorted(self._buttons):
            QWidget.setTabOrder(before, self._buttons[key])
            before = self._buttons[key]

    def clear(self) -> None:
        """Have no buttons."""
        self._controls = {}
        self.show(())

    def confirm(self, control: Control, text: str) -> None:
        """Show a word on a button for a moment, such as Copied."""
        button = self._buttons.get(control.key)
        if button is None:
            return
        button.setIcon(icon(self._theme, "check", "ok"))
        if control.text:
            button.setText(text)
        button.setAccessibleDescription(text)
        QTimer.singleShot(_COPIED_MS, button, lambda: self._dress(button, control))

    def _make(self, control: Control) -> QPushButton:
        button = QPushButton(self._viewport)
        button.setObjectName(control.kind.value)
        button.setProperty("look", _LOOKS.get(control.kind, "small"))
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.setIconSize(QSize(14, 14))
        button.clicked.connect(lambda: self._press(control.key))
        self._dress(button, control)
        button.setGeometry(control.place)
        button.show()
        return button

    def _dress(self, button: QPushButton, control: Control) -> None:
        button.setText(control.text.replace("&", "&&"))
        button.setAccessibleName(control.name)
        button.setAccessibleDescription("")
        button.setToolTip(control.tip)
        if control.icon:
            button.setIcon(icon(self._theme, control.icon, "text3"))

    def _press(self, key: tuple[int, int, ControlKind]) -> None:
        if key in self._controls:
            self.pressed.emit(self._controls[key])
