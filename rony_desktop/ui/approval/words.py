"""The words of a question: what will happen, where, and why Allow waits."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from rony_desktop.contract.approval import ApprovalRequest
from rony_desktop.ui.approval.escape import visible
from rony_desktop.ui.chat.block import CallState
from rony_desktop.ui.chat.verb import verb_of


def title(request: ApprovalRequest) -> str:
    """What will happen, in one sentence."""
    tr = QCoreApplication.translate
    change = request.change
    if change is None:
        return tr("approval", "Rony wants to run {0}").format(visible(request.call.name))
    if change.before is None:
        return tr("approval", "Rony wants to create {0}").format(visible(change.path))
    return tr("approval", "Rony wants to change {0}").format(visible(change.path))


def deed(tool: str, pattern: str) -> str:
    """What is allowed for longer: the verb that stands before such calls, and on what."""
    verb = verb_of(tool, CallState.QUEUED) or visible(tool)
    return f"{verb} {visible(pattern)}".strip()


def nothing_to_see(request: ApprovalRequest) -> str:
    """What stands in place of a diff where a file change has no hunks; else ""."""
    tr = QCoreApplication.translate
    if request.change is None or request.change.hunks:
        return ""
    if request.change.before is None:
        return tr("approval", "The file will be empty.")
    return tr("approval", "The text of the file stays as it is.")
