"""Header, status bar and banner for what the engine does, and the picker of models."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.contract.agent import Response
from rony_desktop.contract.engine import EngineState, EngineStatus
from rony_desktop.contract.error import EngineKilled, NoModel
from rony_desktop.contract.launch import Fit, Offer
from rony_desktop.contract.llm import StopReason, Timings
from rony_desktop.contract.model import ModelRef
from rony_desktop.ui.badge import Badge
from rony_desktop.ui.banner import Banner
from rony_desktop.ui.header import Header
from rony_desktop.ui.model.picker import ModelPicker
from rony_desktop.ui.model.view import LOOKS, ModelPane
from rony_desktop.ui.status import StatusBar
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
MODELS = (
    ModelRef("llamacpp", "tiny", Path("/models/tiny.gguf"), 98 << 20),
    ModelRef("llamacpp", "Q&A-7B", Path("/models/deep/Q&A-7B.gguf"), 4 << 30),
)


class Parts:
    """A pane and the widgets it speaks through."""

    def __init__(self, theme: Theme, qtbot: QtBot) -> None:
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.window.resize(900, 400)
        self.header = Header(theme, self.window)
        self.status = StatusBar(theme, self.window)
        self.banner = Banner(theme, self.window)
        self.pane = ModelPane(self.header, self.status, self.banner, self.window)
        self.window.show()


@pytest.fixture
def parts(theme: Theme, qtbot: QtBot) -> Parts:
    return Parts(theme, qtbot)


@pytest.mark.parametrize("state", EngineState)
def test_every_state_has_a_look_and_a_word(
    parts: Parts, child: Find, qtbot: QtBot, state: EngineState
) -> None:
    status = EngineStatus(state, "tiny")
    with qtbot.waitSignal(parts.pane.changed) as caught:
        parts.pane.show_engine(status)
    assert caught.args == [status]
    assert state in LOOKS
    assert child(parts.status, QPushButton, "status_engine").text()
    assert child(parts.header, QPushButton, "model_button").text() == "tiny"


def test_the_words_of_the_states_differ_where_the_user_must_know(parts: Parts, child: Find) -> None:
    words = {}
    for state in EngineState:
        parts.pane.show_engine(EngineStatus(state, "tiny"))
        words[state] = child(parts.status, QPushButton, "status_engine").text()
    assert len(set(words.values())) == len(words)
    assert words[EngineState.READY] == "Ready"


def test_an_engine_that_sleeps_is_not_called_stopped(parts: Parts, child: Find) -> None:
    parts.pane.show_engine(EngineStatus(EngineState.STOPPED, "tiny", asleep=True))
    said = child(parts.status, QPushButton, "status_engine").text()
    assert said.startswith("Asleep")
    parts.pane.show_engine(EngineStatus(EngineState.STOPPED, "tiny"))
    assert child(parts.status, QPushButton, "status_engine").text() == "Engine stopped"


def picker_of(parts: Parts, child: Find) -> ModelPicker:
    picker = child(parts.window, ModelPicker, "model_picker")
    assert isinstance(picker, ModelPicker)
    return picker


def test_the_picker_opens_over_the_models_and_passes_the_choice_on(
    parts: Parts, child: Find, qtbot: QtBot
) -> None:
    parts.pane.show_models(MODELS, "Q&A-7B")
    parts.pane.show_offer(Offer(MODELS[0], Fit.FITS, "Q4_1", 8192))
    picker = picker_of(parts, child)
    with qtbot.waitSignal(parts.pane.chosen) as caught, qtbot.waitSignal(parts.pane.pickerClosed):
        qtbot.keyClick(child(picker, QWidget, "model_filter"), Qt.Key.Key_Return)
    assert caught.args == [str(MODELS[1].path)]


@pytest.mark.parametrize("count", [0, 2, 12])
def test_the_keys_come_back_from_the_picker(
    parts: Parts, child: Find, qtbot: QtBot, count: int
) -> None:
    field = QLineEdit(parts.window)
    field.show()
    parts.window.activateWindow()
    qtbot.waitUntil(parts.window.isActiveWindow)
    field.setFocus()
    parts.pane.show_models((MODELS * 6)[:count], "")
    inside = parts.window.focusWidget()
    assert picker_of(parts, child).isAncestorOf(inside)
    qtbot.keyClick(inside, Qt.Key.Key_Escape)
    assert parts.window.focusWidget() is field


def test_without_models_a_file_may_be_chosen(parts: Parts, child: Find, qtbot: QtBot) -> None:
    parts.pane.show_models((), "")
    child(picker_of(parts, child), QPushButton, "picker_file").click()
    dialog = parts.window.findChild(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    assert dialog.fileMode() is QFileDialog.FileMode.ExistingFile
    assert dialog.nameFilters() == ["Models (*.gguf)"]
    with qtbot.waitSignal(parts.pane.chosen) as caught:
        dialog.fileSelected.emit("/models/x.gguf")
    assert caught.args == ["/models/x.gguf"]
    dialog.reject()


@pytest.mark.parametrize("page", ["wizard", "plan"])
def test_the_pages_are_asked_for(parts: Parts, child: Find, qtbot: QtBot, page: str) -> None:
    parts.pane.show_models(MODELS, "tiny")
    with qtbot.waitSignal(parts.pane.pageRequested) as caught:
        child(picker_of(parts, child), QPushButton, f"picker_{page}").click()
    assert caught.args == [page]


@pytest.mark.parametrize(
    ("badge", "words"),
    [
        (Badge.NONE, "tiny · Q4_1"),
        (Badge.ON_CPU, "running on the CPU"),
        (Badge.LOWERED, "less"),
        (Badge.SHORT, "short context"),
    ],
)
def test_what_should_be_noticed_stands_beside_the_name(
    parts: Parts, child: Find, badge: Badge, words: str
) -> None:
    parts.pane.show_engine(EngineStatus(EngineState.READY, "tiny"), "Q4_1", badge)
    assert words in child(parts.header, QPushButton, "model_button").accessibleName()


def test_numbers_are_shown_only_where_they_were_measured(parts: Parts, child: Find) -> None:
    names = ("status_speed", "status_first_token", "status_context")
    part = {name: child(parts.status, QPushButton, name) for name in names}
    parts.pane.show_speed(Response("", StopReason.END_TURN))
    parts.pane.show_context(0, 0)
    assert not any(button.isVisible() for button in part.values())
    timings = Timings(prompt_n=10, prompt_ms=400, predicted_n=31, predicted_ms=2000)
    parts.pane.show_speed(Response("", StopReason.END_TURN, timings=timings))
    parts.pane.show_context(120, 4096)
    assert part["status_speed"].text() == "15.5\u2009tok/s"
    assert "0.4" in part["status_first_token"].text()
    assert part["status_context"].text().startswith("context 120 / ")


def test_a_failure_is_a_banner_until_it_is_cleared(parts: Parts, child: Find) -> None:
    parts.pane.show_failure(EngineKilled().failure())
    assert parts.banner.isVisible()
    assert child(parts.banner, QLabel, "banner_sentence").text().startswith("The engine was ended")
    parts.pane.clear_failure()
    assert not parts.banner.isVisible()


def test_no_model_at_all_is_left_to_the_empty_state(parts: Parts) -> None:
    parts.pane.show_failure(NoModel().failure())
    assert not parts.banner.isVisible()


def test_no_model_at_all_is_no_alarm(parts: Parts, child: Find) -> None:
    parts.pane.show_engine(EngineStatus(EngineState.FAILED, failure=NoModel().failure()))
    assert child(parts.status, QPushButton, "status_engine").text() == "No model"
    assert child(parts.header, QPushButton, "model_button").text() == "Choose a model"


def test_while_it_is_tried_again_no_button_asks_for_it(parts: Parts, child: Find) -> None:
    button = child(parts.banner, QPushButton, "banner_action")
    failure = EngineKilled().failure()
    for state, asks in ((EngineState.WAITING, False), (EngineState.FAILED, True)):
        parts.pane.show_engine(EngineStatus(state, "tiny", failure=failure))
        parts.pane.show_failure(failure)
        assert parts.banner.isVisible()
        assert button.isVisible() is asks
