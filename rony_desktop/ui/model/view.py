"""Header, status bar and banner as ModelPresenter sees them, and the menu of models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QDir, QObject, QPoint, Signal
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from rony_desktop.contract.agent import Response
from rony_desktop.contract.engine import EngineState, EngineStatus
from rony_desktop.contract.error import Action, Failure, NoModel
from rony_desktop.contract.model import ModelRef
from rony_desktop.ui.banner import Banner
from rony_desktop.ui.button import StateLook
from rony_desktop.ui.error import words
from rony_desktop.ui.header import Header
from rony_desktop.ui.status import StatusBar

GIB = 1 << 30
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

    def __init__(self, header: Header, status: StatusBar, banner: Banner, window: QWidget) -> None:
        super().__init__(window)
        self._header = header
        self._status = status
        self._banner = banner
        self._window = window
        self._restarting = False

    def show_engine(self, status: EngineStatus) -> None:
        """Show the state as a dot and a word, here and in the header."""
        nothing = status.failure is not None and status.failure.code == NO_MODEL
        look = "off" if nothing else LOOKS[status.state]
        self._restarting = status.state in RESTARTING
        self._header.set_model(status.model, look)
        self._status.set_engine(look, self.tr("No model") if nothing else self._word(status))
        self.changed.emit(status)

    def show_models(self, models: Sequence[ModelRef], current: str) -> None:
        """Open the menu of models."""
        menu = QMenu(self._window)
        menu.setObjectName("model_menu")
        for model in models:
            size = f"{model.size_bytes / GIB:.1f} GB"
            action = menu.addAction(f"{model.id.replace('&', '&&')}\t{size}")
            action.setCheckable(True)
            action.setChecked(model.id == current)
            action.triggered.connect(
                lambda _=False, name=str(model.path or model.id): self.chosen.emit(name)
            )
        if models:
            menu.addSeparator()
        menu.addAction(self.tr("Choose a file…")).triggered.connect(self.choose_file)
        menu.aboutToHide.connect(menu.deleteLater)
        corner = QPoint(self._header.width() - menu.sizeHint().width() - 48, self._header.height())
        menu.popup(self._header.mapToGlobal(corner))

    def choose_file(self) -> None:
        """Ask for a model file; the answer comes by chosen."""
        dialog = QFileDialog(self._window, self.tr("Choose a model"))
        dialog.setNameFilter(self.tr("Models (*.gguf)"))
        dialog.setDirectory(QDir.homePath())
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.chosen)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

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
