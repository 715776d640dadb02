"""Ties the pages about the model in use and this computer to what they show."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from rony_desktop.app.context import AppContext
from rony_desktop.contract.error import Action
from rony_desktop.ui.doctor.presenter import DoctorPresenter
from rony_desktop.ui.doctor.view import DoctorPane
from rony_desktop.ui.launch.presenter import LaunchPresenter
from rony_desktop.ui.launch.view import LaunchPane
from rony_desktop.ui.leads import Leads
from rony_desktop.ui.manager import ManagerDialog
from rony_desktop.ui.page import Pages
from rony_desktop.ui.plan.presenter import PlanPresenter
from rony_desktop.ui.plan.view import PlanPane
from rony_desktop.ui.speed.presenter import SpeedPresenter
from rony_desktop.ui.speed.view import SpeedPane
from rony_desktop.ui.task import Tasks

if TYPE_CHECKING:
    from rony_desktop.ui.theme import Theme

WIZARD = "wizard"
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
        use: Act,
    ) -> None:
        from rony_desktop.app.doctor import examine

        self._app = app
        self._theme = theme
        self._window = window
        self._tasks = tasks
        self._act = act
        self._load = use
        self._speed = SpeedPresenter(app.benches, self._local, tasks)
        self._doctor = DoctorPresenter(lambda: examine(app, self._name()), tasks)
        self._plan: PlanPresenter | None = None
        self._dialog: ManagerDialog | None = None
        self._closing: list[Callable[[], None]] = []
        self._pages = Pages(app, theme, tasks, self._closing)
        self._leads = Leads(self.show, self._show_plan, self._use, self._do)

    def close(self) -> None:
        """Stop listening to the program."""
        self._pages.close()

    def show(self, page: str) -> None:
        """Open the dialog at a page, or the "wizard"."""
        if page == WIZARD:
            self._pages.wizard(self._window, self._leads)
            return
        if self._dialog is None:
            self._open()
        if self._dialog is not None:
            self._dialog.show_page(page)

    def _open(self) -> None:
        tr, pages, leads = QCoreApplication.translate, self._pages, self._leads
        self._dialog = dialog = ManagerDialog(self._window)
        dialog.closed.connect(self._closed)
        tabs: tuple[tuple[str, str, Callable[[], QWidget]], ...] = (
            ("installed", tr("Workbench", "Installed"), lambda: pages.installed(leads)),
            ("discover", tr("Workbench", "Discover"), lambda: pages.discover(leads)),
            ("downloads", tr("Workbench", "Downloads"), lambda: pages.downloads(leads)),
            ("plan", tr("Workbench", "Plan"), self._plan_page),
            ("launch", tr("Workbench", "Launch"), self._launch_page),
            ("speed", tr("Workbench", "Speed"), self._speed_page),
            ("engine", tr("Workbench", "Engine"), lambda: pages.engine(leads)),
            ("doctor", tr("Workbench", "Computer"), self._doctor_page),
        )
        for key, name, make in tabs:
            dialog.add_page(key, name, make)

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
        self._plan = presenter
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
        if action in (Action.CHOOSE_MODEL, Action.FIND_MODEL) and self._dialog:
            self._dialog.close()
        self._act(action)

    def _use(self, path: str) -> None:
        """Load a model file; the main window shows how it comes up."""
        if self._dialog:
            self._dialog.close()
        self._load(path)

    def _show_plan(self, path: Path) -> None:
        """Show how a file that is not in use would be launched."""
        self.show("plan")
        if self._plan:
            self._plan.open(self._app.feed, path)

    def _closed(self) -> None:
        for close in self._closing:
            close()
        self._closing.clear()
        self._plan = None
        self._dialog = None

    def _local(self) -> str:
        """The name of the model in use, "" where it is not a file of this computer."""
        model = self._app.runtime.model
        return model.id if model and model.path else ""

    def _name(self) -> str:
        model = self._app.runtime.model
        return str(model.path or f"{model.provider}:{model.id}") if model else ""
