"""The look of a widget that changes while it is shown."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget


def dress(widget: QWidget, name: str, value: str) -> None:
    """Set a property the style sheet looks at, and let the sheet look again."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
