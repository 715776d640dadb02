"""Ties the pages about the model in use and this computer to what they show."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from rony_desktop.app.context import AppContext
from rony_desktop.contract.error import Action
from rony_desktop.ui.doctor.presenter import DoctorPresenter
from rony_desktop.ui.doctor.view import DoctorPane
from rony_desktop.ui.launch.presenter import LaunchPresenter
from rony_desktop.ui.launch.view import LaunchPane
from rony_desktop.ui.manager import ManagerDialog
from rony_desktop.ui.plan.presenter import PlanPresenter
from rony_desktop.ui.plan.view import PlanPane
from rony_desktop.ui.speed.presenter import SpeedPresenter
from rony_desktop.ui.speed.view import SpeedPane
from rony_desktop.ui.task import Tasks

if TYPE_CHECKING:
    from rony_desktop.ui.discover.presenter import DiscoverPresenter
    from rony_desktop.ui.theme import Theme

Act = Callable[[str], None]
"""Does what an Action of contract/error says."""


class Workbench:
    """One dialog at a time; what was measured and examined outlives it."""

    def __init__(
        self,
        app: AppContext,
        theme: Theme,
        window: QWidget,
        tasks: Tasks,
        act: Act,
        use: Act | None = None,
    ) -> None:
        from rony_desktop.app.doctor import examine

        self._app = app
        self._theme = theme
        self._window = window
        self._tasks = tasks
        self._act = act
        self._load: Callable[[str], object] = use or app.runtime.use
        self._discover: DiscoverPresenter | None = None
        self._speed = SpeedPresenter(app.benches, self._local, tasks)
        self._doctor = DoctorPresenter(lambda: examine(app, self._name()), tasks)
        self._dialog: ManagerDialog | None = None
        self._pages: dict[str, QWidget] = {}
        self._closing: list[Callable[[], None]] = []

    def show(self, page: str) -> None:
        """Open the dialog at "discover", "downloads", "plan", "launch", "speed" or "doctor"."""
        if self._dialog is None:
            self._open()
        if self._dialog is not None:
            self._dialog.show_page(self._pages[page])

    def _open(self) -> None:
        tr = QCoreApplication.translate
        self._dialog = dialog = ManagerDialog(self._window)
        dialog.closed.connect(self._closed)
        names = {
            "discover": tr("Workbench", "Discover"),
            "downloads": tr("Workbench", "Downloads"),
            "plan": tr("Workbench", "Plan"),
            "launch": tr("Workbench", "Launch"),
            "speed": tr("Workbench", "Speed"),
            "doctor": tr("Workbench", "Computer"),
        }
        pages = (
            self._discover_page(),
            self._downloads_page(),
            self._plan_page(),
            self._launch_page(),
            self._speed_page(),
            self._doctor_page(),
        )
        for (key, name), page in zip(names.items(), pages, strict=True):
            self._pages[key] = page
            dialog.add_page(name, page)

    def _discover_page(self) -> QWidget:
        from rony_desktop.ui.discover.detail import Ways
        from rony_desktop.ui.discover.presenter import DiscoverPresenter
        from rony_desktop.ui.discover.view import DiscoverPane

        library, ways = self._app.library, Ways(lambda: self.show("downloads"), self._use)
        if self._discover is None:
            self._discover = DiscoverPresenter(
                library.discovery, library.downloads, self._app.models.list, self._tasks, ways
            )
        pane, presenter = DiscoverPane(self._theme), self._discover
        pane.searchRequested.connect(presenter.search)
        pane.openRequested.connect(presenter.open)
        pane.suggestionRequested.connect(presenter.suggested)
        pane.closeRequested.connect(presenter.detail.close)
        pane.chosen.connect(presenter.detail.choose)
        pane.pressed.connect(presenter.detail.press)
        pane.retryRequested.connect(presenter.retry)
        pane.actionRequested.connect(self._do)
        pane.watched.connect(presenter.watch)
        presenter.attach(pane, self._app.feed)
        self._closing.append(presenter.detach)
        return pane

    def _downloads_page(self) -> QWidget:
        from rony_desktop.ui.download.presenter import DownloadsPresenter
        from rony_desktop.ui.download.view import DownloadsPane

        pane = DownloadsPane(self._theme)
        presenter = DownloadsPresenter(self._app.library.downloads, self._tasks, pane, self._use)
        pane.toggleRequested.connect(presenter.toggle)
        pane.cancelRequested.connect(presenter.cancel)
        pane.keepRequested.connect(presenter.keep)
        pane.useRequested.connect(presenter.use)
        pane.discoverRequested.connect(lambda: self.show("discover"))
        pane.actionRequested.connect(self._do)
        pane.dismissed.connect(presenter.dismiss)
        pane.watched.connect(presenter.watch)
        presenter.open(self._app.feed)
        self._closing.append(presenter.close)
        return pane

    def _plan_page(self) -> QWidget:
        app, pane = self._app, PlanPane(self._theme)
        planned = app.runtime.planned
        pane.set_quant(app.launches.quant(planned.model) if planned else "")
        presenter = PlanPresenter(app.launches, app.runtime, self._tasks, pane, app.launches.fit)
        pane.changed.connect(presenter.change)
        pane.loadRequested.connect(lambda anyway: presenter.load(anyway=anyway))
        pane.backRequested.connect(presenter.back)
        pane.actionRequested.connect(self._do)
        pane.started.connect(lambda: self.show("launch"))
        presenter.open(app.feed)
        self._closing.append(presenter.close)
        return pane

    def _launch_page(self) -> QWidget:
        app, pane = self._app, LaunchPane(self._theme)
        presenter = LaunchPresenter(app.launches, app.runtime, self._tasks, pane)
        pane.actionRequested.connect(self._do)
        pane.doctorRequested.connect(lambda: self.show("doctor"))
        presenter.open(app.feed)
        self._closing.append(presenter.close)
        return pane

    def _speed_page(self) -> QWidget:
        pane, presenter = SpeedPane(self._theme), self._speed
        pane.measureRequested.connect(presenter.measure)
        pane.tuneRequested.connect(presenter.tune)
        pane.cancelRequested.connect(presenter.cancel)
        pane.retryRequested.connect(presenter.retry)
        pane.actionTriggered.connect(self._do)
        presenter.attach(pane)
        self._closing.append(presenter.detach)
        return pane

    def _doctor_page(self) -> QWidget:
        pane, presenter = DoctorPane(self._theme), self._doctor
        pane.againRequested.connect(presenter.run)
        pane.cancelRequested.connect(presenter.cancel)
        presenter.attach(pane)
        self._closing.append(presenter.detach)
        return pane

    def _do(self, action: str) -> None:
        """Do what a page's button says; the choice of a model is made in the main window."""
        if action == Action.OPEN_PLAN:
            self.show("plan")
            return
        if action == Action.CHOOSE_MODEL and self._dialog:
            self._dialog.close()
        self._act(action)

    def _use(self, path: str) -> None:
        """Load a model file; the main window shows how it comes up."""
        if self._dialog:
            self._dialog.close()
        self._load(path)

    def _closed(self) -> None:
        for close in self._closing:
            close()
        self._closing.clear()
        self._pages.clear()
        self._dialog = None

    def _local(self) -> str:
        """The name of the model in use, "" where it is not a file of this computer."""
        model = self._app.runtime.model
        return model.id if model and model.path else ""

    def _name(self) -> str:
        model = self._app.runtime.model
        return str(model.path or f"{model.provider}:{model.id}") if model else ""
