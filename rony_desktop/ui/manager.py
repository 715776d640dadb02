"""The model manager: a window of pages about the model in use and this computer."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QTabWidget, QVBoxLayout, QWidget

SIZE = (900, 680)
SMALLEST = (640, 400)


class ManagerDialog(QDialog):
    """Pages behind tabs, each by Ctrl and its number; Esc closes, what runs goes on.

    closed tells that it was closed, however that was done.
    """

    closed = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("manager")
        self.setWindowTitle(self.tr("Models and computer"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumSize(*SMALLEST)
        room = window.screen().availableSize()
        self.resize(min(SIZE[0], room.width()), min(SIZE[1], room.height() - 40))
        self._tabs = QTabWidget(self)
        self._tabs.setObjectName("manager_tabs")
        self._tabs.setDocumentMode(True)
        self._tabs.tabBar().setAccessibleName(self.tr("Pages"))
        self._tabs.tabBar().setExpanding(False)
        self._keys: list[str] = []
        self._makers: dict[int, Callable[[], QWidget]] = {}
        self._pages: dict[int, QWidget] = {}
        self._columns: list[QVBoxLayout] = []
        # The first tab is the current one before anybody asked for it.
        self._tabs.currentChanged.connect(self._turned)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.addWidget(self._tabs)
        self.finished.connect(lambda _: self.closed.emit())

    def add_page(self, key: str, name: str, make: Callable[[], QWidget]) -> None:
        """Add a page behind the others; it is made when it is first shown."""
        frame = QWidget()
        frame.setAccessibleName(name)
        column = QVBoxLayout(frame)
        column.setContentsMargins(0, 0, 0, 0)
        number = len(self._keys)
        self._keys.append(key)
        self._makers[number] = make
        self._columns.append(column)
        self._tabs.addTab(frame, name)
        self._tabs.setTabToolTip(number, self.tr("{0} (Ctrl+{1})").format(name, number + 1))
        keys = QShortcut(QKeySequence(f"Ctrl+{number + 1}"), self)
        keys.activated.connect(lambda: self.show_page(key))

    def show_page(self, key: str) -> None:
        """Bring a page to the front, and the window with it."""
        number = self._keys.index(key)
        self._make(number)
        self._tabs.setCurrentIndex(number)
        self.show()
        self.raise_()
        self.activateWindow()
        # A page that says where the keys should go gets them; else the arrows turn pages.
        page = self.page(key)
        (page if page and page.focusProxy() else self._tabs.tabBar()).setFocus()

    def page(self, key: str) -> QWidget | None:
        """A page, None where it was not shown yet."""
        return self._pages.get(self._keys.index(key))

    def _turned(self, number: int) -> None:
        if self.isVisible():
            self._make(number)

    def _make(self, number: int) -> None:
        if make := self._makers.pop(number, None):
            page = make()
            page.setAccessibleName(self._tabs.tabText(number))
            self._pages[number] = page
            self._columns[number].addWidget(page)
