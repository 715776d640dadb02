"""Header, status bar and banner as ModelPresenter sees them, and the picker of models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QWidget

from rony_desktop.contract.agent import Response
from rony_desktop.contract.engine import EngineState, EngineStatus
from rony_desktop.contract.error import Action, Failure, NoModel
from rony_desktop.contract.model import ModelRef
from rony_desktop.ui.badge import Badge
from rony_desktop.ui.banner import Banner
from rony_desktop.ui.button import StateLook
from rony_desktop.ui.error import words
from rony_desktop.ui.file import choose_model
from rony_desktop.ui.header import Header
from rony_desktop.ui.status import StatusBar

if TYPE_CHECKING:  # imported when it is opened
    from rony_desktop.contract.launch import Offer
    from rony_desktop.ui.model.picker import ModelPicker

NO_MODEL = NoModel.code
RESTARTING = (EngineState.LOADING, EngineState.SUSPECT, EngineState.WAITING)

LOOKS: dict[EngineState, StateLook] = {
    EngineState.STOPPED: "off",
    EngineState.LOADING: "busy",
    EngineState.READY: "ready",
    EngineState.SUSPECT: "busy",
    EngineState.WAITING: "busy",
    EngineState.STOPPING: "off",
    EngineState.FAILED: "error",
}


class ModelPane(QObject):
    """A ModelView over widgets of the window; chosen tells the id or path of another model."""

    chosen = Signal(str)
    changed = Signal(EngineStatus)
    pageRequested = Signal(str)  # noqa: N815 - Qt's naming of signals; "wizard" or "plan"
    pickerClosed = Signal()  # noqa: N815

    def __init__(self, header: Header, status: StatusBar, banner: Banner, window: QWidget) -> None:
        super().__init__(window)
        self._header = header
        self._status = status
        self._banner = banner
        self._window = window
        self._restarting = False
        self._picker: ModelPicker | None = None

    def show_engine(self, status: EngineStatus, quant: str = "", badge: Badge = Badge.NONE) -> None:
        """Show the state as a dot and a word, here and in the header."""
        nothing = status.failure is not None and status.failure.code == NO_MODEL
        look = "off" if nothing else LOOKS[status.state]
        self._restarting = status.state in RESTARTING
        self._header.set_model(status.model, look, quant, badge)
        self._status.set_engine(look, self.tr("No model") if nothing else self._word(status))
        self.changed.emit(status)

    def show_models(self, models: Sequence[ModelRef], current: str) -> None:
        """Open the picker."""
        from rony_desktop.ui.model.picker import ModelPicker

        if self._picker is not None:
            self._picker.close()
        self._picker = picker = ModelPicker(self._header.theme, self._window)
        picker.chosen.connect(self.chosen)
        picker.asked.connect(self._asked)
        picker.closed.connect(self._closed)
        picker.show_models(models, current)
        picker.open_under(self._header.model)

    def show_offer(self, offer: Offer) -> None:
        """Say in the picker what is known of a model now."""
        if self._picker is not None:
            self._picker.take(offer)

    def _asked(self, what: str) -> None:
        if what == "file":
            self.choose_file()
        else:
            self.pageRequested.emit(what)

    def _closed(self) -> None:
        self._picker = None
        self.pickerClosed.emit()

    def choose_file(self) -> None:
        """Ask for a model file; the answer comes by chosen."""
        choose_model(self._window, self.tr("Choose a model"), self.chosen.emit)

    def show_context(self, used: int, limit: int) -> None:
        """Show how much of the context window the chat fills."""
        self._status.set_context(used or None, limit or None)

    def show_speed(self, response: Response) -> None:
        """Show decode speed and the time the prompt took."""
        timings = response.timings
        self._status.set_speed(timings.decode_tokens_per_s or None)
        self._status.set_first_token(timings.prompt_ms / 1000 if timings.prompt_ms else None)

    def show_failure(self, failure: Failure) -> None:
        """Show a failure of the whole window; no model at all is the empty state's to say."""
        text = words(failure)
        if self._restarting and text.action == Action.RETRY:
            # It is tried again already: a button would only ask for it twice.
            self._banner.show_error(replace(text, button="", action=""), "warn")
        elif failure.code != NO_MODEL:
            self._banner.show_error(text)

    def clear_failure(self) -> None:
        """The engine is well again."""
        self._banner.hide_error()

    def _word(self, status: EngineStatus) -> str:
        tr = QCoreApplication.translate
        if status.asleep:
            return tr("engine", "Asleep to free memory; a question wakes it")
        texts = {
            EngineState.STOPPED: tr("engine", "Engine stopped"),
            EngineState.LOADING: tr("engine", "Loading the model"),
            EngineState.READY: tr("engine", "Ready"),
            EngineState.SUSPECT: tr("engine", "Engine does not answer"),
            EngineState.WAITING: tr("engine", "Starting the engine again"),
            EngineState.STOPPING: tr("engine", "Stopping the engine"),
            EngineState.FAILED: tr("engine", "Model not loaded"),
        }
        return texts[status.state]
