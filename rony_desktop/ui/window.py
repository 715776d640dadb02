"""The main window: list of chats, header, banner, conversation, status bar. Widgets only."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QByteArray, QEvent, QSettings, QSize, Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QKeySequence, QPaintEvent, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from rony_desktop.ui.banner import Banner
from rony_desktop.ui.chat.view import ChatPane
from rony_desktop.ui.header import Header
from rony_desktop.ui.history.view import HistoryList
from rony_desktop.ui.model.view import ModelPane
from rony_desktop.ui.status import StatusBar
from rony_desktop.ui.theme import Theme, ThemeMode

SIZE = (1200, 800)
SMALLEST = (720, 480)
NARROW = 900
_FRAME = 40  # about the height of a title bar


class MainWindow(QWidget):
    """Holds the panes; what they do is wired in ui/shell.py."""

    closed = Signal()
    painted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.setObjectName("main_window")
        self.setMinimumSize(*SMALLEST)
        self.resize(*SIZE)
        self.chats = HistoryList(theme, self)
        self.header = Header(theme, self)
        self.banner = Banner(theme, self)
        self.notice = Banner(theme, self)
        self.chat = ChatPane(theme, self)
        self.status = StatusBar(theme, self)
        self.model = ModelPane(self.header, self.status, self.banner, self)
        self._hidden_by_user = False
        self._painted = False
        self._lay_out()
        self.header.sidebarToggled.connect(self.toggle_chats)
        self.chat.titled.connect(self.show_title)
        self.chats.titled.connect(self.show_title)
        self.key("Ctrl+B", self.toggle_chats)
        self.key("Ctrl+Shift+F", self._search)
        self.key("F2", self.header.edit_title)
        self.key("F6", self._next_pane)
        self.show_title("")
        self.chat.setFocus()

    def key(self, keys: str, action: Callable[[], object]) -> None:
        """Let keys do something anywhere in the window."""
        QShortcut(QKeySequence(keys), self).activated.connect(action)

    def show_title(self, title: str) -> None:
        """Name the chat in the header and in the window's frame."""
        self.header.set_title(title or self.tr("New chat"))
        self.setWindowTitle(f"{title} - Rony" if title else "Rony")

    def toggle_chats(self) -> None:
        """Show or hide the list of chats."""
        self._hidden_by_user = self.chats.isVisible()
        self.chats.setVisible(not self._hidden_by_user)

    def fit_screen(self) -> None:
        """Be no larger than the screen: a scaled one has less room than its pixels say."""
        room = self.screen().availableSize() - QSize(0, _FRAME)
        self.resize(self.size().boundedTo(room))

    def remember(self, file: Path) -> None:
        """Take size, place and theme from the last time, and keep them when the window closes."""
        settings = QSettings(str(file), QSettings.Format.IniFormat)
        geometry = settings.value("geometry")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        if (mode := settings.value("theme")) in list(ThemeMode):
            self.set_theme(str(mode))

        def keep() -> None:
            settings.setValue("geometry", self.saveGeometry())
            settings.setValue("theme", str(self.theme.mode))

        self.closed.connect(keep)

    def set_theme(self, mode: str) -> None:
        """Follow the system, or stay light or dark; the menu says which."""
        self.theme.set_mode(ThemeMode(mode))
        action = self.header.menu.findChild(QAction, f"theme_{mode}")
        if isinstance(action, QAction):
            action.setChecked(True)

    def come_forward(self) -> None:
        """Be seen: a second start asks for it."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Tell that the window is done."""
        event.accept()
        self.closed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Tell of the first paint."""
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            self.painted.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow window gives its room to the conversation."""
        super().resizeEvent(event)
        self.chats.setVisible(self.width() >= NARROW and not self._hidden_by_user)

    def changeEvent(self, event: QEvent) -> None:
        """Put the cursor where the next message is written when the window comes forward."""
        super().changeEvent(event)
        came = event.type() == QEvent.Type.ActivationChange and self.isActiveWindow()
        if came and self.focusWidget() is None:
            self.chat.setFocus()

    def _lay_out(self) -> None:
        main, row, whole = QVBoxLayout(), QHBoxLayout(), QVBoxLayout(self)
        for widget in (self.header, self.banner, self.notice):
            main.addWidget(widget)
        main.addWidget(self.chat, 1)
        row.addWidget(self.chats)
        row.addLayout(main, 1)
        whole.addLayout(row, 1)
        whole.addWidget(self.status)
        for layout in (main, row, whole):
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(0)

    def _search(self) -> None:
        if not self.chats.isVisible():
            self.toggle_chats()
        self.chats.focus_search()

    def _next_pane(self) -> None:
        """Move between list, conversation, a card that asks and composer."""
        panes = [w for w in (self.chats, *self.chat.panes) if w.isVisible()]
        inside = [n for n, pane in enumerate(panes) if _has_focus(pane)]
        # The card stands inside of the conversation: the innermost counts.
        panes[(inside[-1] + 1) % len(panes) if inside else 0].setFocus(
            Qt.FocusReason.ShortcutFocusReason
        )


def _has_focus(pane: QWidget) -> bool:
    return pane.hasFocus() or any(part.hasFocus() for part in pane.findChildren(QWidget))
