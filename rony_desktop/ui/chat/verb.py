"""What a tool is called in the window: its sign, and what it will do, does and did."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from rony_desktop.ui.chat.block import CallState

OTHER = "wrench"
# By tool: icon, and the words for before, while and after. Qt's lupdate reads the calls.
_VERBS: dict[str, tuple[str, object, object, object]] = {
    "read_file": (
        "file-text",
        QT_TRANSLATE_NOOP("call", "Read"),
        QT_TRANSLATE_NOOP("call", "Reading"),
        QT_TRANSLATE_NOOP("call", "Read"),
    ),
    "list_files": (
        "folder",
        QT_TRANSLATE_NOOP("call", "List files"),
        QT_TRANSLATE_NOOP("call", "Listing files"),
        QT_TRANSLATE_NOOP("call", "Listed files"),
    ),
    "search_files": (
        "search",
        QT_TRANSLATE_NOOP("call", "Search"),
        QT_TRANSLATE_NOOP("call", "Searching"),
        QT_TRANSLATE_NOOP("call", "Searched"),
    ),
    "write_file": (
        "file-plus",
        QT_TRANSLATE_NOOP("call", "Write"),
        QT_TRANSLATE_NOOP("call", "Writing"),
        QT_TRANSLATE_NOOP("call", "Wrote"),
    ),
    "edit_file": (
        "file-pen",
        QT_TRANSLATE_NOOP("call", "Edit"),
        QT_TRANSLATE_NOOP("call", "Editing"),
        QT_TRANSLATE_NOOP("call", "Edited"),
    ),
    "read_output": (
        "file-text",
        QT_TRANSLATE_NOOP("call", "Read result"),
        QT_TRANSLATE_NOOP("call", "Reading result"),
        QT_TRANSLATE_NOOP("call", "Read result"),
    ),
    "search_output": (
        "text-search",
        QT_TRANSLATE_NOOP("call", "Search result"),
        QT_TRANSLATE_NOOP("call", "Searching result"),
        QT_TRANSLATE_NOOP("call", "Searched result"),
    ),
    "load_message": (
        "message-square",
        QT_TRANSLATE_NOOP("call", "Look up message"),
        QT_TRANSLATE_NOOP("call", "Looking up message"),
        QT_TRANSLATE_NOOP("call", "Looked up message"),
    ),
    "list_messages": (
        "list",
        QT_TRANSLATE_NOOP("call", "List messages"),
        QT_TRANSLATE_NOOP("call", "Listing messages"),
        QT_TRANSLATE_NOOP("call", "Listed messages"),
    ),
    "report_inability": (
        "flag",
        QT_TRANSLATE_NOOP("call", "Say it cannot do this"),
        QT_TRANSLATE_NOOP("call", "Saying it cannot do this"),
        QT_TRANSLATE_NOOP("call", "Said it cannot do this"),
    ),
}
_FORMS = {CallState.RUNNING: 2, CallState.DONE: 3}


def icon_of(tool: str) -> str:
    """The sign of a tool."""
    return _VERBS[tool][0] if tool in _VERBS else OTHER


def verb_of(tool: str, state: CallState) -> str:
    """What a tool does in this state, "" for a tool that has no words."""
    if tool not in _VERBS:
        return ""
    return QCoreApplication.translate("call", str(_VERBS[tool][_FORMS.get(state, 1)]))
