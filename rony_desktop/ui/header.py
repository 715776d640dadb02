"""The header: the chat's title, the model, and what concerns the whole window."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QActionGroup, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QStackedWidget,
    QWidget,
)

from rony_desktop.ui.badge import Badge
from rony_desktop.ui.button import IconButton, StateLook
from rony_desktop.ui.field import Field
from rony_desktop.ui.label import ElidedLabel, plain_tip
from rony_desktop.ui.plate import ModelButton
from rony_desktop.ui.theme import Theme, ThemeMode
from rony_desktop.ui.token import HEADER
from rony_desktop.ui.workspace.folder import FolderButton


class TitleField(QStackedWidget):
    """A title that turns into a field on double click, F2 or Enter."""

    changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("title")
        self.setAccessibleName(self.tr("Title of the chat"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(32)
        self._label = ElidedLabel(self)
        self._label.setObjectName("title_label")
        self._label.setContentsMargins(8, 0, 8, 0)
        self._field = Field(self)
        self._field.setObjectName("title_field")
        self._field.setAccessibleName(self.tr("Title of the chat"))
        self._field.setProperty("look", "title")
        self._field.setMaxLength(200)
        self._field.editingFinished.connect(self._commit)
        self._field.escaped.connect(self._leave)
        self._field.returnPressed.connect(self.setFocus)
        self.addWidget(self._label)
        self.addWidget(self._field)

    def set_title(self, title: str) -> None:
        """Show a title."""
        self._label.setText(title)
        self._label.setToolTip(plain_tip(title))
        self.setAccessibleDescription(title)

    def edit(self) -> None:
        """Let the title be changed."""
        self._field.setText(self._label.text())
        self.setCurrentWidget(self._field)
        self._field.selectAll()
        self._field.setFocus()

    def _commit(self) -> None:
        if self.currentWidget() is not self._field:
            return
        title = self._field.text().strip()
        self.setCurrentWidget(self._label)
        if title and title != self._label.text():
            self.set_title(title)
            self.changed.emit(title)

    def _leave(self) -> None:
        self._field.setText(self._label.text())
        self.setCurrentWidget(self._label)
        self.setFocus()

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        """Edit."""
        self.edit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Edit by Enter; F2 does it from anywhere in the window."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.edit()
        else:
            super().keyPressEvent(event)


class Header(QFrame):
    """A strip of 44 pixels above the conversation."""

    sidebarToggled = Signal()  # noqa: N815 - Qt's naming of signals
    titleChanged = Signal(str)  # noqa: N815
    modelRequested = Signal()  # noqa: N815
    themeRequested = Signal(str)  # noqa: N815
    pageRequested = Signal(str)  # noqa: N815 - "wizard" or a page of the manager

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setObjectName("header")
        self.setFixedHeight(HEADER)
        side = IconButton(
            theme, "panel-left", self.tr("List of chats"), self.tr("List of chats (Ctrl+B)"), self
        )
        side.setObjectName("sidebar_button")
        side.clicked.connect(self.sidebarToggled)
        self._title = TitleField(self)
        self._title.changed.connect(self.titleChanged)
        self.folder = FolderButton(theme, self)
        self.model = ModelButton(theme, self)
        self.model.clicked.connect(self.modelRequested)
        self.menu = self._make_menu()
        more = IconButton(theme, "ellipsis", self.tr("Menu"), parent=self)
        more.setObjectName("menu_button")
        more.clicked.connect(lambda: self._open_menu(more))
        line = QHBoxLayout(self)
        line.setContentsMargins(8, 0, 8, 0)
        line.setSpacing(8)
        for widget in (side, self._title, self.folder, self.model, more):
            line.addWidget(widget, 1 if widget is self._title else 0)

    def set_title(self, title: str) -> None:
        """Show the title of the chat."""
        self._title.set_title(title)

    def edit_title(self) -> None:
        """Let the title be changed."""
        self._title.edit()

    def set_model(
        self, name: str, state: StateLook, quant: str = "", badge: Badge = Badge.NONE
    ) -> None:
        """Show the model, the state it is in, and what should be noticed of how it runs."""
        self.model.show_model(name, state, quant, badge)

    def _make_menu(self) -> QMenu:
        menu = QMenu(self)
        for page, name in (
            ("wizard", self.tr("Find a model…")),
            ("installed", self.tr("Models…")),
            ("plan", self.tr("Plan and memory…")),
            ("launch", self.tr("Explain the launch…")),
            ("speed", self.tr("Speed…")),
            ("doctor", self.tr("Check this computer…")),
        ):
            action = menu.addAction(name)
            action.setObjectName(f"open_{page}")
            action.triggered.connect(lambda _=False, what=page: self.pageRequested.emit(what))
        menu.addSeparator()
        menu.addAction(self.tr("Appearance")).setEnabled(False)
        group = QActionGroup(menu)
        names = {
            ThemeMode.SYSTEM: self.tr("Like the system"),
            ThemeMode.LIGHT: self.tr("Light"),
            ThemeMode.DARK: self.tr("Dark"),
        }
        for mode, name in names.items():
            action = menu.addAction(name)
            action.setCheckable(True)
            action.setChecked(mode is self.theme.mode)
            action.setObjectName(f"theme_{mode.value}")
            group.addAction(action)
            action.triggered.connect(
                lambda _checked=False, value=mode.value: self.themeRequested.emit(value)
            )
        return menu

    def _open_menu(self, button: QWidget) -> None:
        corner = button.mapToGlobal(QPoint(button.width(), button.height() + 4))
        self.menu.popup(corner - QPoint(self.menu.sizeHint().width(), 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give folder and model their share."""
        super().resizeEvent(event)
        self.folder.fit(self.width())
        self.model.fit(self.width())
