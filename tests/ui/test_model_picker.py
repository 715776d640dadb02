"""The picker by keyboard alone: typing filters, arrows move, Enter chooses, Esc closes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QListView, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.contract.launch import Fit, Offer
from rony_desktop.contract.model import ModelRef
from rony_desktop.ui.model.picker import ModelPicker
from rony_desktop.ui.theme import Theme

pytestmark = [pytest.mark.ui, pytest.mark.qt_log_ignore("does not support", extend=True)]
Find = Callable[..., Any]
MODELS = tuple(
    ModelRef("llamacpp", f"Model-{n}B", Path(f"/m/{n}.gguf"), n << 30) for n in range(1, 30)
)


@pytest.fixture
def picker(theme: Theme, qtbot: QtBot) -> Iterator[ModelPicker]:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(900, 600)
    window.show()
    picker = ModelPicker(theme, window)
    picker.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    picker.show_models(MODELS, "Model-3B")
    picker.open_under(QPoint(800, 44))
    yield picker
    picker.close()


def chosen(picker: ModelPicker, child: Find) -> str:
    view = child(picker, QListView, "model_list")
    return str(view.currentIndex().data())


def test_it_opens_at_the_model_in_use_and_enter_chooses(
    picker: ModelPicker, child: Find, qtbot: QtBot
) -> None:
    field = child(picker, QLineEdit, "model_filter")
    assert chosen(picker, child) == "Model-3B"
    for key, name in (
        (Qt.Key.Key_Down, "Model-4B"),
        (Qt.Key.Key_PageDown, "Model-11B"),
        (Qt.Key.Key_Up, "Model-10B"),
    ):
        qtbot.keyClick(field, key)
        assert chosen(picker, child) == name
    with qtbot.waitSignal(picker.chosen) as caught:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert caught.args == ["/m/10.gguf"]
    assert not picker.isVisible()


def test_typing_filters_and_nothing_found_is_said(
    picker: ModelPicker, child: Find, qtbot: QtBot
) -> None:
    field = child(picker, QLineEdit, "model_filter")
    qtbot.keyClicks(field, "27")
    assert chosen(picker, child) == "Model-27B"
    qtbot.keyClicks(field, "x")
    assert child(picker, QLabel, "model_nothing").isVisible()
    with qtbot.assertNotEmitted(picker.chosen):
        qtbot.keyClick(field, Qt.Key.Key_Return)


def test_letters_typed_in_the_list_filter_too(
    picker: ModelPicker, child: Find, qtbot: QtBot
) -> None:
    qtbot.keyClicks(child(picker, QListView, "model_list"), "2")
    assert child(picker, QLineEdit, "model_filter").text() == "2"


def test_escape_closes_it_without_a_choice(picker: ModelPicker, child: Find, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(picker.chosen), qtbot.waitSignal(picker.closed):
        qtbot.keyClick(child(picker, QLineEdit, "model_filter"), Qt.Key.Key_Escape)
    assert not picker.isVisible()


def test_a_click_chooses(picker: ModelPicker, child: Find, qtbot: QtBot) -> None:
    view = child(picker, QListView, "model_list")
    place = view.visualRect(view.model().index(3, 0)).center()
    with qtbot.waitSignal(picker.chosen) as caught:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert caught.args == ["/m/4.gguf"]


def test_offers_move_nothing(picker: ModelPicker, child: Find) -> None:
    size, where = picker.size(), chosen(picker, child)
    for model in MODELS:
        picker.take(Offer(model, Fit.TOO_LARGE, "Q8_0", 4096))
    assert (picker.size(), chosen(picker, child)) == (size, where)


@pytest.mark.parametrize("what", ["file", "plan", "speed", "doctor"])
def test_everything_else_is_asked_for(
    picker: ModelPicker, child: Find, qtbot: QtBot, what: str
) -> None:
    with qtbot.waitSignal(picker.asked) as caught:
        child(picker, QPushButton, f"picker_{what}").click()
    assert caught.args == [what]


def test_without_a_model_one_sentence_says_what_to_do(picker: ModelPicker, child: Find) -> None:
    picker.show_models((), "")
    assert "GGUF" in child(picker, QLabel, "model_nothing").text()
    assert not child(picker, QListView, "model_list").isVisible()
