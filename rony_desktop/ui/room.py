"""The room of widgets: kept while they are hidden, scrolled where there is too little."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QWidget


def keep_room(widget: QWidget) -> None:
    """Let nothing around it move when it is hidden."""
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    widget.setSizePolicy(policy)


def scroll_area(name: str, page: QWidget, *, keys: bool = False) -> QScrollArea:
    """A page that scrolls up and down alone.

    keys: nothing in it takes the focus, so the area does and the arrows scroll it.
    """
    area = QScrollArea(page.parentWidget())
    area.setObjectName(name)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    if not keys:
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(page)
    return area
