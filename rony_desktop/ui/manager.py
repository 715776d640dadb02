"""The model manager: a window of pages about the model in use and this computer."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QTabWidget, QVBoxLayout, QWidget

SIZE = (900, 680)
SMALLEST = (520, 400)


class ManagerDialog(QDialog):
    """Pages behind tabs, each by Ctrl and its number; Esc closes, what runs goes on.

    closed tells that it was closed, however that was done.
    """

    closed = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("manager")
        self.setWindowTitle(self.tr("Model and computer"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumSize(*SMALLEST)
        room = window.screen().availableSize()
        self.resize(min(SIZE[0], room.width()), min(SIZE[1], room.height() - 40))
        self._tabs = QTabWidget(self)
        self._tabs.setObjectName("manager_tabs")
        self._tabs.setDocumentMode(True)
        self._tabs.tabBar().setAccessibleName(self.tr("Pages"))
        self._tabs.tabBar().setExpanding(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.addWidget(self._tabs)
        self.finished.connect(lambda _: self.closed.emit())

    def add_page(self, name: str, page: QWidget) -> None:
        """Add a page behind the others."""
        number = self._tabs.addTab(page, name)
        self._tabs.setTabToolTip(number, self.tr("{0} (Ctrl+{1})").format(name, number + 1))
        page.setAccessibleName(name)
        keys = QShortcut(QKeySequence(f"Ctrl+{number + 1}"), self)
        keys.activated.connect(lambda: self.show_page(page))

    def show_page(self, page: QWidget) -> None:
        """Bring a page to the front, and the window with it."""
        self._tabs.setCurrentWidget(page)
        self.show()
        self.raise_()
        self.activateWindow()
        # A page that says where the keys should go gets them; else the arrows turn pages.
        (page if page.focusProxy() else self._tabs.tabBar()).setFocus()
