"""The launch, explained: what runs or would run, what the engine took, and every flag."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from rony_desktop.contract.engine import EngineState, EngineStatus
from rony_desktop.contract.launch import PlannedLaunch
from rony_desktop.ui.badge import only_processor
from rony_desktop.ui.button import push_button
from rony_desktop.ui.label import ElidedLabel, plain_label, plain_tip
from rony_desktop.ui.launch.command import command
from rony_desktop.ui.launch.comparison import Comparison
from rony_desktop.ui.launch.table import FlagTable
from rony_desktop.ui.launch.taken import taken
from rony_desktop.ui.launch.warning import ProcessorWarning
from rony_desktop.ui.plan.words import rung_words
from rony_desktop.ui.stage import Stage
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.token import COLUMN

COPIED_MS = 1600
RUNNING = (EngineState.READY, EngineState.SUSPECT)


class LaunchPage(QWidget):
    """A launch, one part below the other."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("launch_page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._flags: PlannedLaunch | None = None
        self._name = ElidedLabel(self, Qt.TextElideMode.ElideMiddle)
        self._name.setFont(theme.font("title", strong=True))
        self._state = plain_label("", "quiet", self)
        self._state.setObjectName("launch_state")
        self.warning = ProcessorWarning(theme, self)
        self._rungs = plain_label("", "warn", self)
        self._rungs.setObjectName("launch_rungs")
        self._taken = Comparison(theme, self)
        self._heading = plain_label(self.tr("Options of the engine"), "", self)
        self._heading.setFont(theme.font("label", strong=True))
        self._copy = push_button(self.tr("Copy as a command"), "outline", "launch_copy", self)
        self._copy.clicked.connect(self._copy_command)
        self._copied = QTimer(self)
        self._copied.setSingleShot(True)
        self._copied.setInterval(COPIED_MS)
        self._copied.timeout.connect(lambda: self._copy.setText(self.tr("Copy as a command")))
        self.table = FlagTable(theme, self)
        self._lay_out()

    def show_launch(self, planned: PlannedLaunch, status: EngineStatus) -> None:
        """Show a launch, and what the engine says of it where it runs."""
        self._flags = planned
        name, loaded = planned.model.path.stem, status.loaded
        running = status.state in RUNNING
        self._name.setText(name)
        self._name.setToolTip(plain_tip(name))
        self._state.setText(self._state_words(status.state))
        idle = only_processor(planned, loaded if running else None)
        self.warning.setVisible(idle)
        self.warning.show_layers(planned.launch.gpu_layers or 0)
        steps = ", ".join(rung_words(rung) for rung in planned.rungs)
        self._rungs.setText(
            self.tr("Memory was too short as planned; it was lowered: {0}.").format(steps)
        )
        self._rungs.setVisible(bool(steps))
        self._taken.show_values(taken(planned, loaded), running=running)
        self.table.show_flags(planned.flags)

    def _state_words(self, state: EngineState) -> str:
        if state in RUNNING:
            return self.tr("The engine runs with these options.")
        if state is EngineState.FAILED:
            return self.tr("The engine could not be kept running with these options.")
        if state is EngineState.STOPPED:
            return self.tr("It would be started with these options.")
        return self.tr("The engine is being started with these options.")

    def _copy_command(self) -> None:
        if self._flags:
            QGuiApplication.clipboard().setText(command(self._flags.flags))
            self._copy.setText(self.tr("Copied"))
            self._copied.start()

    def _lay_out(self) -> None:
        self._copy.setFixedWidth(self._copy.sizeHint().width() + 8)
        bar = QHBoxLayout()
        bar.setSpacing(12)
        without = plain_label(
            self.tr("Without its address and key, which every start makes anew."), "hint", self
        )
        said = QVBoxLayout()
        said.setSpacing(4)
        said.addWidget(self._heading)
        said.addWidget(without)
        bar.addLayout(said, 1)
        bar.addWidget(self._copy, 0, Qt.AlignmentFlag.AlignVCenter)
        title = QVBoxLayout()
        title.setSpacing(4)
        title.addWidget(self._name)
        title.addWidget(self._state)
        title.addWidget(self._rungs)
        column = QVBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(16)
        column.addLayout(title)
        column.addWidget(self.warning)
        column.addWidget(self._taken)
        column.addLayout(bar)
        column.addWidget(self.table)
        column.addStretch(1)
        inside = QWidget(self)
        inside.setMaximumWidth(COLUMN)
        inside.setLayout(column)
        outside = QHBoxLayout(self)
        outside.setContentsMargins(24, 16, 24, 24)
        outside.addStretch(1)
        outside.addWidget(inside, 1000)
        outside.addStretch(1)


class LaunchPane(Stage):
    """A LaunchView; it only shows."""

    doctorRequested = Signal()  # noqa: N815 - Qt's naming of signals

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        page = LaunchPage(theme)
        super().__init__(theme, page, parent)
        self._page = page
        self.setObjectName("launch_pane")
        self._page.table.currentCellChanged.connect(self._follow)
        self._page.warning.doctorRequested.connect(self.doctorRequested)
        self.show_nothing(elsewhere=False)

    def show_launch(self, planned: PlannedLaunch, status: EngineStatus) -> None:
        """Show a launch."""
        self._page.show_launch(planned, status)
        self.show_page()

    def _follow(self, row: int) -> None:
        """Keep the chosen row in sight."""
        table = self._page.table
        item = table.item(max(row, 0), 0)
        if item:
            place = table.visualItemRect(item).center()
            spot = table.viewport().mapTo(self._page, place)
            self.area.ensureVisible(spot.x(), spot.y(), 0, 48)
