"""Turns an error's code and parameters into words of the user's language."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

from rony_desktop.contract.error import Action, Failure, error_class, fill
from rony_desktop.ui.card import ErrorText

# What the window does from any of its pages; everything else is tried again where it failed.
_ELSEWHERE = {Action.OPEN_CONFIG, Action.OPEN_DATA, Action.OPEN_PLAN}


def words(failure: Failure) -> ErrorText:
    """The sentence, the remedy and the one button of a failure.

    The English templates of contract/error are the source texts of context "error".
    """
    kind = error_class(failure.code)
    return ErrorText(
        sentence=fill(_translated(kind.sentence), failure.params),
        remedy=fill(_translated(kind.remedy), failure.params),
        button=button(kind.action),
        action=kind.action,
    )


def local(failure: Failure, *, also: Action | None = None, again: bool = True) -> ErrorText:
    """A failure with the button that helps in a page.

    also: what the window does for this page alone. again: where no other helps, to try again.
    """
    text = words(failure)
    if text.action in {*_ELSEWHERE, also}:
        return text
    action = Action.RETRY if again else Action.NONE
    return ErrorText(text.sentence, text.remedy, button(action), action)


def answering(again: Callable[[], object], act: Callable[[str], object]) -> Callable[[str], object]:
    """What an error's button does in a page: again, or act where that is not its to do."""
    return lambda action: again() if action == Action.RETRY else act(action)


def button(action: Action) -> str:
    """The label of an action's button, "" for none."""
    tr = QCoreApplication.translate
    labels = {
        Action.RETRY: tr("error", "Try again"),
        Action.CHOOSE_MODEL: tr("error", "Choose a model"),
        Action.NEW_CHAT: tr("error", "New chat"),
        Action.OPEN_LOG: tr("error", "Open the log"),
        Action.OPEN_CONFIG: tr("error", "Open the settings file"),
        Action.OPEN_DATA: tr("error", "Open the folder"),
        Action.OPEN_PLAN: tr("error", "Show the plan"),
        Action.FIND_MODEL: tr("error", "Find a model"),
    }
    return labels.get(action, "")


def _translated(template: str) -> str:
    return QCoreApplication.translate("error", template) if template else ""
