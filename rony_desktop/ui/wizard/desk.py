"""Ties the wizard's dialog to its presenter, which outlives it."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from rony_desktop.ui.leads import Leads
from rony_desktop.ui.task import Tasks
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.wizard.presenter import Means, WizardPresenter
from rony_desktop.ui.wizard.view import WizardDialog


class WizardDesk:
    """One dialog at a time."""

    def __init__(self, means: Means, tasks: Tasks) -> None:
        self._presenter = WizardPresenter(means, tasks)
        self._dialog: WizardDialog | None = None

    def show(self, theme: Theme, window: QWidget, leads: Leads) -> None:
        """Open the dialog, or bring it to the front."""
        if self._dialog is None:
            dialog = self._dialog = WizardDialog(theme, window)
            presenter = self._presenter
            dialog.nextRequested.connect(presenter.next)
            dialog.backRequested.connect(presenter.back)
            dialog.skipRequested.connect(presenter.skip)
            dialog.cancelRequested.connect(presenter.cancel)
            dialog.retryRequested.connect(presenter.retry)
            dialog.chosen.connect(presenter.choose)
            dialog.actionRequested.connect(leads.act)
            dialog.otherRequested.connect(dialog.close)
            dialog.otherRequested.connect(lambda: leads.show("discover"))
            dialog.closed.connect(self._closed)
            presenter.attach(dialog)
        self._dialog.show()
        self._dialog.raise_()
        self._dialog.activateWindow()

    def close(self) -> None:
        """Stop listening to the program."""
        self._presenter.close()

    def _closed(self) -> None:
        self._dialog = None
        self._presenter.detach()
