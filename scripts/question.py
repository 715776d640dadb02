"""Draws what asks the user: cards, sheets, dialogs and the menu of folders."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QElapsedTimer
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget

from rony_desktop.contract.approval import ApprovalRequest, AskReason, FileChange, Grant, Hunk
from rony_desktop.contract.message import ToolCall
from rony_desktop.ui.approval.card import ApprovalCard
from rony_desktop.ui.approval.grant import GrantDialog
from rony_desktop.ui.approval.sheet import ApprovalSheet
from rony_desktop.ui.theme import Theme, ThemeMode
from rony_desktop.ui.workspace.folder import FolderButton
from rony_desktop.ui.workspace.trust import TrustSheet

FOLDER = "/home/ana/Projects/Bridges of Spain"
SETTLED_MS = 700
HUNKS = (
    Hunk(2, ("The arch is old.\n", "It was built in 98 \n"), ("The arch was built in 98 AD.\n",)),
    Hunk(11, (), ("## Sources\n", "\tcafé \u202e hidden\n")),
    Hunk(30, ("The end",), ("The end.\n",)),
)
LONG = tuple(f"{number}. Look at bridge number {number}.\n" for number in range(1, 400))
AGENTS = "Answer in Spanish.\nNever touch the folder `archive`.\n" * 12
SETTINGS = "model: small\npersona: guide\napp:\n  max_steps: 5\n"


@dataclass(frozen=True)
class File:
    """A file of a folder, or a folder of the menu."""

    name: str = ""
    text: str = ""
    path: str = ""
    exists: bool = True


@dataclass(frozen=True)
class Picture:
    """A widget to draw, its width, and whether it is a window of its own."""

    name: str
    make: Callable[[Theme, QWidget], QWidget]
    width: int = 760
    mode: ThemeMode = ThemeMode.LIGHT


def asked(change: FileChange | None, arguments: str = "", **more: str) -> ApprovalRequest:
    """A question as the executor would put it."""
    arguments = arguments or '{"path": "docs/plan.md", "edits": 3}'
    call = ToolCall("c", more.get("name", "edit_file"), arguments)
    reason = AskReason(more.get("reason", "changes"))
    pattern = more.get("pattern", "")
    return ApprovalRequest("s", call, reason, FOLDER, "openat2", "d", change, pattern)


def card(request: ApprovalRequest, waiting: int = 1, press: str = "") -> Callable[..., QWidget]:
    """Makes a card in a pane of its own."""

    def make(theme: Theme, _window: QWidget) -> QWidget:
        pane = QWidget()
        pane.setObjectName("chat_pane")
        column = QVBoxLayout(pane)
        shown = ApprovalCard(theme, pane)
        column.addWidget(shown)
        column.addStretch(1)
        shown.show_request(request, waiting)
        if press:
            shown.findChild(QPushButton, press).click()
        return pane

    return make


def sheet(theme: Theme, window: QWidget) -> QWidget:
    """The sheet."""
    shown = ApprovalSheet(theme, window)
    shown.show_request(asked(FileChange("docs/plan.md", "a", "b", HUNKS), pattern="docs/*"), 2)
    return shown


def trust(theme: Theme, window: QWidget) -> QWidget:
    """The sheet about a folder's own files."""
    shown = TrustSheet(theme, window)
    shown.show_files(FOLDER, (File("rony.yaml", SETTINGS), File("AGENTS.md", AGENTS)))
    return shown


def permissions(*grants: Grant) -> Callable[..., QWidget]:
    """The list of permissions."""

    def make(_theme: Theme, window: QWidget) -> QWidget:
        shown = GrantDialog(window)
        shown.set_grants(grants)
        shown.open()
        return shown

    return make


def menu(theme: Theme, _window: QWidget) -> QWidget:
    """The menu of folders."""
    button = FolderButton(theme)
    button.show_folder(FOLDER)
    gone = "/media/ana/Backup/2019/Projects/A very long name of a folder that is not there any more"
    button.show_menu((File(path=FOLDER), File(path=gone, exists=False)))
    shown = button.findChild(QWidget, "folder_menu")
    shown.button = button  # kept alive with its menu
    return shown


def pictures() -> list[Picture]:
    """Everything that asks, in the states worth a look."""
    plan = FileChange("docs/plan.md", "a", "b", HUNKS)
    edit = asked(plan, pattern="docs/*")
    new = FileChange("AGENTS.md", None, "b", (Hunk(0, (), ("Always say yes.\n", "Be brief.\n")),))
    bidi = '{"command": "ls \u202e txt.exe; rm\u200b -rf ~"}'
    long = '{"command": "' + "echo hello; " * 400 + 'rm -rf ~"}'
    wide = FileChange("src/a/" + "long_name/" * 12 + "plan.md", "a", "b", (Hunk(0, LONG, LONG),))
    grants = (
        Grant("1", "write_file", "docs/*", FOLDER, "openat2", expires="2026-12-30T10:00:00+00:00"),
        Grant("2", "edit_file", "docs/plan.md", FOLDER, "openat2", session="s"),
    )
    dark = ThemeMode.DARK
    return [
        Picture("ask_light", card(edit, 3)),
        Picture("ask_dark", card(edit, 3), mode=dark),
        Picture("ask_small", card(edit), 520),
        Picture("ask_long_diff", card(asked(wide))),
        Picture("ask_long_text", card(asked(None, long, name="shell")), mode=dark),
        Picture("ask_bidi", card(asked(None, bidi, name="shell", pattern="ls *"))),
        Picture("ask_protected", card(asked(new, reason="protected")), mode=dark),
        Picture("ask_why", card(edit, press="approval_deny_why")),
        Picture("ask_sheet", sheet),
        Picture("trust", trust),
        Picture("trust_dark", trust, mode=dark),
        Picture("permissions", permissions(*grants)),
        Picture("permissions_empty", permissions(), mode=dark),
        Picture("folder_menu", menu),
    ]


def draw(app: QApplication, theme: Theme, picture: Picture, file: str) -> None:
    """Draw one, once it has settled."""
    theme.set_mode(picture.mode)
    window = QWidget()
    shown = picture.make(theme, window)
    if not shown.isWindow() or shown.objectName() == "chat_pane":
        shown.resize(picture.width, shown.heightForWidth(picture.width))
    shown.show()
    clock = QElapsedTimer()
    clock.start()
    while not clock.hasExpired(SETTLED_MS):
        app.processEvents()
    shown.grab().save(file)
    shown.close()
    shown.deleteLater()
    window.deleteLater()
    app.processEvents()
