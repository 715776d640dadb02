"""The buttons of a question: deny, deny and tell why, allow, allow for longer."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QStackedWidget, QWidget

from rony_desktop.contract.approval import GrantScope
from rony_desktop.ui.approval.guard import Guard, GuardedButton
from rony_desktop.ui.button import IconButton, push_button
from rony_desktop.ui.field import Field
from rony_desktop.ui.icon import icon
from rony_desktop.ui.label import plain_label, plain_tip
from rony_desktop.ui.theme import Theme

_REASON = 500  # characters
_DEED = 320  # pixels of it in the menu
_HEIGHT = 32


class Actions(QStackedWidget):
    """One row: the buttons, or the field for a reason. Deny is the default in a dialog."""

    allowed = Signal(GrantScope)
    denied = Signal(str)

    def __init__(self, theme: Theme, guard: Guard, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._deed = ""
        self._hint = plain_label("", "hint", self)
        self._hint.setObjectName("approval_hint")
        self._why = push_button(self.tr("Deny and tell why"), "", "approval_deny_why", self)
        self._why.clicked.connect(self._ask_why)
        self._deny = push_button(self.tr("Deny"), "outline", "approval_deny", self)
        self._deny.clicked.connect(lambda: self.denied.emit(""))
        self._allow = self._guarded(guard, self.tr("Allow"), "approval_allow")
        self._allow.setText(self.tr("Allow"))
        self._allow.chosen.connect(lambda: self.allowed.emit(GrantScope.ONCE))
        self._longer = self._guarded(guard, self.tr("Allow for longer"), "approval_longer")
        self._longer.setToolTip(self.tr("Allow for longer"))
        self._longer.setIconSize(QSize(16, 16))
        self._longer.chosen.connect(self._open_menu)
        self._field = Field(self)
        self._field.setObjectName("approval_reason")
        self._field.setMaxLength(_REASON)
        self._field.setPlaceholderText(self.tr("Why, or what to do instead"))
        self._field.setAccessibleName(self.tr("Reason for denying, told to Rony"))
        self._field.returnPressed.connect(self._send)
        self._field.escaped.connect(self._back)
        self.addWidget(self._row(self._hint, self._why, self._deny, self._allow, self._longer))
        self.addWidget(self._reason_row())
        # In a dialog Enter presses the button that has the focus, and Deny where none has.
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(True)
            button.setFixedHeight(_HEIGHT)
        self._deny.setDefault(True)
        theme.changed.connect(self._tint)
        self._tint()

    def set_deed(self, deed: str) -> None:
        """What may be allowed for longer, as it is shown; "" for nothing. The buttons come back."""
        self._deed = deed
        self._longer.setVisible(bool(deed))
        self._field.clear()
        self.setCurrentIndex(0)

    def set_open(self, open_: bool, hint: str) -> None:
        """Whether Allow can be pressed; the hint says why not."""
        self._allow.setEnabled(open_)
        self._longer.setEnabled(open_)
        self._hint.setText(hint)
        self._allow.setAccessibleDescription(hint)
        self._tint()

    def focus_deny(self) -> None:
        """Put the focus on Deny, or leave it in the field while a reason is written."""
        if self.currentIndex() == 0:
            self._deny.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_answer(self, reason: Qt.FocusReason) -> None:
        """Put the focus on Deny, or into the field where a reason is being written."""
        (self._field if self.currentIndex() else self._deny).setFocus(reason)

    def _guarded(self, guard: Guard, label: str, name: str) -> GuardedButton:
        button = GuardedButton(guard, self)
        button.setObjectName(name)
        button.setAccessibleName(label)
        button.setProperty("look", "primary")
        return button

    def _reason_row(self) -> QWidget:
        send = push_button(self.tr("Deny and send"), "outline", "approval_send", self)
        send.clicked.connect(self._send)
        back = IconButton(self._theme, "x", self.tr("Back"), parent=self)
        back.setObjectName("approval_back")
        back.setIconSize(QSize(16, 16))
        back.clicked.connect(self._back)
        self._field.setFixedHeight(_HEIGHT)
        return self._row(self._field, send, back)

    def _row(self, first: QWidget, *others: QWidget) -> QWidget:
        row = QWidget(self)
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        line.addWidget(first, 1)
        for widget in others:
            line.addWidget(widget)
        return row

    def _open_menu(self) -> None:
        menu = QMenu(self)
        menu.setObjectName("approval_menu")
        menu.setToolTipsVisible(True)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        cut = menu.fontMetrics().elidedText(self._deed, Qt.TextElideMode.ElideMiddle, _DEED)
        for scope, words in (
            (GrantScope.SESSION, self.tr("Allow in this chat: {0}")),
            (GrantScope.ALWAYS, self.tr("Allow in this folder for 30 days: {0}")),
        ):
            action = menu.addAction(words.format(cut).replace("&", "&&"))
            action.setObjectName(f"approval_{scope.value}")
            action.setToolTip(plain_tip(words.format(self._deed)))
            action.triggered.connect(lambda _=False, scope=scope: self.allowed.emit(scope))
        corner = self._longer.mapToGlobal(QPoint(self._longer.width(), self._longer.height() + 4))
        menu.popup(corner - QPoint(menu.sizeHint().width(), 0))

    def _ask_why(self) -> None:
        self.setCurrentIndex(1)
        self._field.setFocus()

    def _back(self) -> None:
        self.setCurrentIndex(0)
        self._why.setFocus()

    def _send(self) -> None:
        self.denied.emit(self._field.text().strip())

    def _tint(self) -> None:
        role = "on_accent" if self._longer.isEnabled() else "text3"
        self._longer.setIcon(icon(self._theme, "chevron-down", role))
