"""The plan view: how a model fits, what of its launch may be changed, and the sum behind it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from rony_desktop.contract.plan import Wanted
from rony_desktop.ui.button import push_button
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.plan.figure import SpeedFigures
from rony_desktop.ui.plan.gauge import Gauge
from rony_desktop.ui.plan.presenter import ShownPlan
from rony_desktop.ui.plan.reason import reason_words
from rony_desktop.ui.plan.segment import computer, device
from rony_desktop.ui.plan.sum import Sum
from rony_desktop.ui.plan.tuner import Tuner
from rony_desktop.ui.plan.verdict import Verdict
from rony_desktop.ui.stage import Stage
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.token import COLUMN


class PlanPage(QWidget):
    """All of a plan, one below the other."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("plan_page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.verdict = Verdict(theme, self)
        self.ram = Gauge(theme, self.tr("Memory of this computer"), "plan_memory", self)
        self.vram = Gauge(theme, self.tr("Memory of the GPU"), "plan_gpu", self)
        self.speed = SpeedFigures(theme, self)
        self.tuner = Tuner(theme, self)
        self.sum = Sum(theme, self)
        self.basis = plain_label("", "hint", self)
        column = QVBoxLayout()
        column.setSpacing(16)
        column.addWidget(self.verdict)
        for gauge in (self.ram, self.vram):
            column.addWidget(gauge)
        column.addWidget(self.speed)
        column.addWidget(_hairline(self))
        column.addWidget(self.tuner)
        column.addWidget(_hairline(self))
        column.addWidget(self.sum)
        column.addWidget(self.basis)
        column.addStretch(1)
        inside = QWidget(self)
        inside.setMaximumWidth(COLUMN)
        inside.setLayout(column)
        column.setContentsMargins(0, 0, 0, 0)
        _centre(self, inside, 16, 24)

    def show_plan(self, shown: ShownPlan, quant: str) -> None:
        """Show another plan; what stands where stays where it is."""
        planned = shown.planned
        self.verdict.show_plan(shown, quant)
        self.ram.show_stack(computer(planned))
        gpu = device(planned)
        self.vram.setVisible(gpu is not None)
        if gpu:
            self.vram.show_stack(gpu)
        self.speed.show_speed(planned.speed)
        self.tuner.show_plan(shown)
        self.sum.show_plan(planned.plan)
        estimate = planned.reasons.get("estimate")
        self.basis.setText(reason_words(estimate) if estimate else "")


class PlanPane(Stage):
    """A PlanView. Its signals tell what the user wants; it decides nothing itself."""

    changed = Signal(dict)
    loadRequested = Signal(bool)  # noqa: N815 - Qt's naming of signals; anyway
    backRequested = Signal()  # noqa: N815
    started = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        page = PlanPage(theme)
        super().__init__(theme, page, parent)
        self._page = page
        self.setObjectName("plan_pane")
        self.area.setObjectName("plan_scroll")
        self._fits = True
        self._quant = ""
        self._load = push_button("", "primary", "plan_load", self)
        self._back = push_button(self.tr("Back to the plan"), "outline", "plan_back", self)
        self._risk = plain_label("", "quiet", self)
        self._risk.setObjectName("plan_risk")
        self._foot = self._make_foot()
        self.column.addWidget(self._foot)
        self._connect()
        self.show_nothing(elsewhere=False)

    def set_quant(self, quant: str) -> None:
        """Say how the model's weights are stored, beside its name."""
        self._quant = quant

    def show_plan(self, shown: ShownPlan) -> None:
        """Show a plan, the user's own values marked."""
        self._fits = shown.planned.plan.fits
        self._page.show_plan(shown, self._quant)
        label = self.tr("Load with these settings") if self._fits else self.tr("Load anyway")
        self._load.setText(label)
        self._load.setAccessibleName(label)
        self._back.setEnabled(shown.wanted != Wanted())
        self._risk.setVisible(not self._fits)
        self.show_page()
        self._foot.show()

    def show_started(self) -> None:
        """Tell that the model is being loaded."""
        self.started.emit()

    def show_blank(self) -> None:
        """Without a plan there is nothing to load."""
        super().show_blank()
        self._foot.hide()

    def _align(self, _least: int, most: int) -> None:
        room = self.area.verticalScrollBar().sizeHint().width() if most else 0
        for part in (self.banner, self._foot):
            part.setContentsMargins(0, 0, room, 0)

    def _make_foot(self) -> QFrame:
        foot = QFrame(self)
        foot.setObjectName("plan_foot")
        self._risk.setText(
            self.tr(
                "The computer may become slow, or other programs may be ended; "
                "if memory runs out, Rony tries again with less."
            )
        )
        inside = QWidget(foot)
        inside.setMaximumWidth(COLUMN)
        line = QHBoxLayout(inside)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(12)
        line.addWidget(self._risk, 1)
        line.addStretch(0)
        line.addWidget(self._back, 0)
        line.addWidget(self._load, 0)
        _centre(foot, inside, 12, 12)
        return foot

    def _connect(self) -> None:
        self._page.tuner.changed.connect(self.changed)
        # What stands above and below stays in line with the page.
        self.area.verticalScrollBar().rangeChanged.connect(self._align)
        self._load.clicked.connect(lambda: self.loadRequested.emit(not self._fits))
        self._back.clicked.connect(self.backRequested)


def _centre(outer: QWidget, inside: QWidget, top: int, bottom: int) -> None:
    """Put what has a largest width in the middle."""
    line = QHBoxLayout(outer)
    line.setContentsMargins(24, top, 24, bottom)
    line.addStretch(1)
    line.addWidget(inside, 1000)
    line.addStretch(1)


def _hairline(parent: QWidget) -> QFrame:
    line = QFrame(parent)
    line.setObjectName("hairline")
    line.setFixedHeight(1)
    return line
