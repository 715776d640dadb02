"""The speed page: measure the model in use, and look for faster settings."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from rony_desktop.contract.error import Action, Failure
from rony_desktop.ui.error import answering, local
from rony_desktop.ui.room import scroll_area
from rony_desktop.ui.speed.card import JobCard
from rony_desktop.ui.speed.presenter import Job, SpeedState
from rony_desktop.ui.speed.result import ResultTable
from rony_desktop.ui.speed.trial import TrialTable
from rony_desktop.ui.speed.words import progress_words
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.token import COLUMN

_AIR = 16


class SpeedPane(QWidget):
    """Shows a SpeedState; actionTriggered is an error's button that the window answers."""

    measureRequested = Signal()  # noqa: N815 - Qt's naming of signals
    tuneRequested = Signal()  # noqa: N815
    cancelRequested = Signal()  # noqa: N815
    retryRequested = Signal()  # noqa: N815
    actionTriggered = Signal(str)  # noqa: N815

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("speed_pane")
        self._theme = theme
        self._state = SpeedState()
        self._measure = JobCard(theme, "measure", self.tr("Measure"), self)
        self._tune = JobCard(theme, "tune", self.tr("Tune"), self)
        self._measure.pressed.connect(lambda: self._press(Job.MEASURE))
        self._tune.pressed.connect(lambda: self._press(Job.TUNE))
        answer = answering(self.retryRequested.emit, self.actionTriggered.emit)
        for card in (self._measure, self._tune):
            card.failurePressed.connect(answer)
        self._lay_out()
        self.show_state(self._state)

    def show_state(self, state: SpeedState) -> None:
        """Show it; results that are shown already stay as they are."""
        before, self._state = self._state, state
        if state.measured is not before.measured:
            found = state.measured
            self._measure.show_result(ResultTable(self._theme, found, self) if found else None)
        if state.tuning is not before.tuning:
            tuning = state.tuning
            self._tune.show_result(TrialTable(self._theme, tuning, self) if tuning else None)
        for job, card in ((Job.MEASURE, self._measure), (Job.TUNE, self._tune)):
            card.set_about(self._about(job))
            self._show_button(job, card)
            self._show_progress(job, card)
            failed = state.failure if state.failed is job else None
            card.show_failure(local(failed, also=Action.CHOOSE_MODEL) if failed else None)
        if _told(state) != _told(before):
            self._reveal(state)

    def _reveal(self, state: SpeedState) -> None:
        """Scroll to what begins or went wrong, once it has its place."""
        job = state.progress.job if state.progress else state.failed
        if job is not None:
            card = self._tune if job is Job.TUNE else self._measure
            QTimer.singleShot(0, card, lambda: self._area.ensureWidgetVisible(card, 0, _AIR))

    def _lay_out(self) -> None:
        content = QWidget(self)
        content.setObjectName("speed_list")
        column = QVBoxLayout()
        column.setSpacing(16)
        column.addWidget(self._measure)
        column.addWidget(self._tune)
        column.addStretch(1)
        cards = QWidget(content)
        cards.setMaximumWidth(COLUMN)
        cards.setLayout(column)
        column.setContentsMargins(0, 0, 0, 0)
        line = QHBoxLayout(content)
        line.setContentsMargins(24, 16, 24, 24)
        line.addStretch(1)
        line.addWidget(cards, 1000)
        line.addStretch(1)
        self._area = area = scroll_area("speed_area", content, keys=True)
        area.setAccessibleName(self.tr("Speed of the model"))
        outside = QVBoxLayout(self)
        outside.setContentsMargins(0, 0, 0, 0)
        outside.addWidget(area)

    def _about(self, job: Job) -> str:
        if not self._state.model:
            return self.tr("Choose a model of this computer first.")
        if job is Job.MEASURE:
            return self.tr(
                "Lets the model answer a few short questions and compares its speed with what was "
                "predicted; later predictions learn from it. The chat waits meanwhile."
            )
        return self.tr(
            "Tries other settings in turns with the planned ones, and uses one only where it is "
            "surely faster. It takes about a minute; the chat waits meanwhile."
        )

    def _show_button(self, job: Job, card: JobCard) -> None:
        progress = self._state.progress
        if progress is not None and progress.job is job:
            card.set_button(self.tr("Cancel"), enabled=not progress.stopping)
            return
        enabled = bool(self._state.model) and progress is None
        if job is Job.TUNE:
            again = self._state.tuning is not None
            card.set_button(self.tr("Tune again") if again else self.tr("Tune"), enabled=enabled)
            return
        again = self._state.measured is not None
        card.set_button(
            self.tr("Measure again") if again else self.tr("Measure"),
            look="outline" if again else "primary",
            enabled=enabled,
        )

    def _show_progress(self, job: Job, card: JobCard) -> None:
        progress = self._state.progress
        if progress is None or progress.job is not job:
            card.show_progress("", None)
            return
        known = progress.every and not progress.stopping
        share = progress.done / progress.every if known else None
        card.show_progress(progress_words(progress), share)

    def _press(self, job: Job) -> None:
        progress = self._state.progress
        if progress is not None and progress.job is job:
            self.cancelRequested.emit()
        elif job is Job.MEASURE:
            self.measureRequested.emit()
        else:
            self.tuneRequested.emit()


def _told(state: SpeedState) -> tuple[Job | None, Failure | None]:
    return state.progress.job if state.progress else None, state.failure
