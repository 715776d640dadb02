"""Ties the pages of models and engines that are here, or could be, to what they show."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rony_desktop.app.context import AppContext
from rony_desktop.ui.leads import Leads
from rony_desktop.ui.task import Tasks

if TYPE_CHECKING:  # each page is imported when it is first opened
    from PySide6.QtWidgets import QWidget

    from rony_desktop.ui.discover.presenter import DiscoverPresenter
    from rony_desktop.ui.engine.presenter import EnginePresenter
    from rony_desktop.ui.installed.desk import InstalledDesk
    from rony_desktop.ui.theme import Theme
    from rony_desktop.ui.wizard.desk import WizardDesk


class Pages:
    """Makes each page anew, and its presenter once; closing gets what ends with the page."""

    def __init__(
        self, app: AppContext, theme: Theme, tasks: Tasks, closing: list[Callable[[], None]]
    ) -> None:
        self._app = app
        self._theme = theme
        self._tasks = tasks
        self._closing = closing
        self._discover: DiscoverPresenter | None = None
        self._installed: InstalledDesk | None = None
        self._engine: EnginePresenter | None = None
        self._wizard: WizardDesk | None = None

    def close(self) -> None:
        """Stop listening to the program."""
        if self._wizard:
            self._wizard.close()

    def installed(self, leads: Leads) -> QWidget:
        """The models that are here."""
        from rony_desktop.ui.installed.desk import InstalledDesk, Updates
        from rony_desktop.ui.installed.presenter import InstalledParts

        app = self._app
        if self._installed is None:
            parts = InstalledParts(
                folders=app.models,
                offering=app.launches,
                removing=app.stock.removal,
                adding=app.stock.adoption,
                current=lambda: app.runtime.model,
                use=leads.use,
                named=tuple(app.config.llama.models_dirs),
            )
            updates = Updates(app.stock.revisions, app.stock.downloads)
            self._installed = InstalledDesk(
                parts, app.stock.adoption, updates, app.checks, self._tasks
            )
        self._closing.append(self._installed.close)
        return self._installed.open(self._theme, app.feed, leads)

    def discover(self, leads: Leads) -> QWidget:
        """The models that could be downloaded."""
        from rony_desktop.ui.discover.presenter import DiscoverPresenter
        from rony_desktop.ui.discover.view import DiscoverPane

        stock = self._app.stock
        if self._discover is None:
            self._discover = DiscoverPresenter(
                stock.discovery, stock.downloads, self._app.models.list, self._tasks, leads
            )
        pane, presenter = DiscoverPane(self._theme), self._discover
        pane.searchRequested.connect(presenter.search)
        pane.openRequested.connect(presenter.open)
        pane.suggestionRequested.connect(presenter.suggested)
        pane.closeRequested.connect(presenter.detail.close)
        pane.chosen.connect(presenter.detail.choose)
        pane.pressed.connect(presenter.detail.press)
        pane.retryRequested.connect(presenter.retry)
        pane.actionRequested.connect(leads.act)
        pane.watched.connect(presenter.watch)
        presenter.attach(pane, self._app.feed)
        self._closing.append(presenter.detach)
        return pane

    def downloads(self, leads: Leads) -> QWidget:
        """What is being downloaded."""
        from rony_desktop.ui.download.presenter import DownloadsPresenter
        from rony_desktop.ui.download.view import DownloadsPane

        pane = DownloadsPane(self._theme)
        presenter = DownloadsPresenter(self._app.stock.downloads, self._tasks, pane, leads.use)
        pane.toggleRequested.connect(presenter.toggle)
        pane.cancelRequested.connect(presenter.cancel)
        pane.keepRequested.connect(presenter.keep)
        pane.useRequested.connect(presenter.use)
        pane.discoverRequested.connect(lambda: leads.show("discover"))
        pane.actionRequested.connect(leads.act)
        pane.dismissed.connect(presenter.dismiss)
        pane.watched.connect(presenter.watch)
        presenter.open(self._app.feed)
        self._closing.append(presenter.close)
        return pane

    def engine(self, leads: Leads) -> QWidget:
        """The builds of the engine."""
        from rony_desktop.ui.engine.presenter import EnginePresenter
        from rony_desktop.ui.engine.view import EnginePane

        runtime = self._app.runtime
        if self._engine is None:
            self._engine = EnginePresenter(
                self._app.stock.installs,
                self._tasks,
                lambda: runtime.status().pid,
                lambda: runtime.model and runtime.use(str(runtime.model.path or runtime.model.id)),
            )
        pane, presenter = EnginePane(self._theme), self._engine
        pane.useRequested.connect(presenter.use)
        pane.installRequested.connect(presenter.install)
        pane.searchRequested.connect(presenter.search)
        pane.cancelRequested.connect(presenter.cancel)
        pane.restartRequested.connect(presenter.restart)
        pane.retryRequested.connect(presenter.retry)
        pane.actionRequested.connect(leads.act)
        presenter.attach(pane)
        self._closing.append(presenter.detach)
        return pane

    def wizard(self, window: QWidget, leads: Leads) -> None:
        """Lead to a first model."""
        from rony_desktop.ui.wizard.desk import WizardDesk
        from rony_desktop.ui.wizard.presenter import Means

        app = self._app
        if self._wizard is None:
            means = Means(
                discovery=app.stock.discovery,
                downloads=app.stock.downloads,
                bench=app.benches,
                checks=app.checks,
                use=leads.use,
                ready=app.runtime.ready,
                listen=app.feed.listen,
            )
            self._wizard = WizardDesk(means, self._tasks)
        self._wizard.show(self._theme, window, leads)
