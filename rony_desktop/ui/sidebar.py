"""The sidebar: the list of chats, a search over them, and the button for a new one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QListView, QMenu, QVBoxLayout, QWidget

from rony_desktop.ui.button import push_button
from rony_desktop.ui.field import Field
from rony_desktop.ui.icon import icon
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.row import ChatDelegate, ChatModel, ChatRow
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.token import SIDEBAR


class _View(QListView):
    opened = Signal(QModelIndex)
    deleteAsked = Signal(QModelIndex)  # noqa: N815 - Qt's naming of signals

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open by Enter, delete by Delete."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.opened.emit(self.currentIndex())
        elif event.key() == Qt.Key.Key_Delete:
            self.deleteAsked.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)


class ChatList(QFrame):
    """Chats by date; says what is asked for and decides nothing."""

    newRequested = Signal()  # noqa: N815 - Qt's naming of signals
    chatSelected = Signal(str)  # noqa: N815
    renameRequested = Signal(str, str)  # noqa: N815
    deleteRequested = Signal(str)  # noqa: N815
    searchChanged = Signal(str)  # noqa: N815

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("sidebar")
        self.setFixedWidth(SIDEBAR)
        self._new = push_button(self.tr("New chat"), "row", "new_chat", self)
        self._new.setToolTip(self.tr("New chat (Ctrl+N)"))
        self._new.setIconSize(QSize(16, 16))
        self._new.clicked.connect(self.newRequested)
        self._search = Field(self)
        self._search.setObjectName("chat_search")
        self._search.setPlaceholderText(self.tr("Search"))
        self._search.setAccessibleName(self.tr("Search chats"))
        self._search.setToolTip(self.tr("Search chats (Ctrl+Shift+F)"))
        self._search.setFixedHeight(34)
        self._search.textChanged.connect(self.searchChanged)
        self._search.escaped.connect(self._clear_search)
        self._model = ChatModel(self)
        self._model.renamed.connect(self.renameRequested)
        self._list = self._make_list()
        self._nothing = plain_label("", "hint", self)
        self._nothing.setContentsMargins(12, 8, 12, 4)
        self._clear = push_button(self.tr("Clear the search"), "outline", "clear_search", self)
        self._clear.clicked.connect(self._clear_search)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(4)
        for widget in (self._new, self._search, self._nothing):
            column.addWidget(widget)
        column.addWidget(self._clear, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._list, 1)
        theme.changed.connect(self._tint)
        self._tint()
        self.set_rows(())

    def set_rows(self, rows: Sequence[ChatRow]) -> None:
        """Show these chats; neighbours of one group stand under one heading."""
        current = self._model.id_at(self._list.currentIndex())
        self._model.set_rows(rows)
        self.set_current(current)
        searching = bool(self._search.text())
        words = (
            self.tr("No chat has these words.")
            if searching
            else self.tr("Your chats will be here.")
        )
        self._nothing.setText(words)
        self._nothing.setVisible(not rows)
        self._clear.setVisible(searching and not rows)
        # An empty list shows no focus, so it takes none.
        self._list.setFocusPolicy(Qt.FocusPolicy.StrongFocus if rows else Qt.FocusPolicy.NoFocus)
        self.setFocusProxy(self._list if rows else self._new)

    def set_current(self, id: str) -> None:
        """Mark a chat as the open one; says nothing to anybody."""
        index = self._model.index_of(id)
        if index.isValid():
            self._list.setCurrentIndex(index)
        else:
            self._list.clearSelection()
            self._list.setCurrentIndex(QModelIndex())

    def focus_search(self) -> None:
        """Go to the search field."""
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()

    def _clear_search(self) -> None:
        self._search.setText("")
        self._search.setFocus()

    def _make_list(self) -> QListView:
        view = _View(self)
        view.setObjectName("chat_list")
        view.setAccessibleName(self.tr("Chats"))
        view.setModel(self._model)
        view.setItemDelegate(ChatDelegate(self._theme, view))
        view.setMouseTracking(True)
        view.setUniformItemSizes(False)
        view.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setEditTriggers(QListView.EditTrigger.EditKeyPressed)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self._open_menu)
        view.clicked.connect(self._open)
        view.opened.connect(self._open)
        view.deleteAsked.connect(self._delete)
        return view

    def _open(self, index: QModelIndex) -> None:
        id = self._model.id_at(index)
        if id:
            self.chatSelected.emit(id)

    def _delete(self, index: QModelIndex) -> None:
        id = self._model.id_at(index)
        if id:
            self.deleteRequested.emit(id)

    def _open_menu(self, point: QPoint) -> None:
        index = self._list.indexAt(point)
        if not self._model.id_at(index):
            return
        menu = QMenu(self)
        menu.setObjectName("chat_menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        rename = menu.addAction(icon(self._theme, "pencil"), self.tr("Rename"))
        rename.triggered.connect(lambda: self._list.edit(index))
        delete = menu.addAction(icon(self._theme, "trash-2", "danger"), self.tr("Delete"))
        delete.triggered.connect(lambda: self._delete(index))
        menu.popup(self._list.viewport().mapToGlobal(point))

    def _tint(self) -> None:
        self._new.setIcon(icon(self._theme, "square-pen"))
        self._list.viewport().update()
