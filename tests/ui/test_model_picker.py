"""The picker by keyboard alone: typing filters, arrows move, Enter chooses, Esc closes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QListView, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.contract.launch import Fit, Offer
from rony_desktop.contract.model import ModelRef
from rony_desktop.ui.model.offer import ROW
from rony_desktop.ui.model.picker import FEW, ModelPicker
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
MODELS = tuple(
    ModelRef("llamacpp", f"Model-{n}B", Path(f"/m/{n}.gguf"), n << 30) for n in range(1, 30)
)


@pytest.fixture
def picker(theme: Theme, qtbot: QtBot) -> Iterator[ModelPicker]:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(900, 600)
    button = QPushButton("Model", window)
    button.setGeometry(600, 8, 240, 32)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    picker = ModelPicker(theme, window)
    picker.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    picker.show_models(MODELS, "Model-3B")
    picker.open_under(button)
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
        (Qt.Key.Key_End, "Model-29B"),
        (Qt.Key.Key_PageUp, "Model-22B"),
        (Qt.Key.Key_Home, "Model-1B"),
        (Qt.Key.Key_Up, "Model-1B"),
    ):
        qtbot.keyClick(field, key)
        assert chosen(picker, child) == name
    with qtbot.waitSignal(picker.chosen) as caught:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert caught.args == ["/m/1.gguf"]
    assert not picker.isVisible()


def test_typing_filters_and_nothing_found_is_said(
    picker: ModelPicker, child: Find, qtbot: QtBot
) -> None:
    field = child(picker, QLineEdit, "model_filter")
    qtbot.keyClicks(field, "27")
    assert chosen(picker, child) == "Model-27B"
    size = picker.frame.size()
    qtbot.keyClicks(field, "x")
    assert child(picker, QLabel, "model_nothing").isVisible()
    assert picker.frame.size() == size
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
    size, where = picker.frame.geometry(), chosen(picker, child)
    for model in MODELS:
        picker.take(Offer(model, Fit.TOO_LARGE, "Q8_0", 4096))
    assert (picker.frame.geometry(), chosen(picker, child)) == (size, where)


@pytest.mark.parametrize("what", ["wizard", "installed", "file", "plan"])
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
    assert child(picker, QPushButton, "picker_wizard").hasFocus()
    assert not child(picker, QPushButton, "picker_plan").isVisible()


def test_few_models_need_no_field(picker: ModelPicker, child: Find, qtbot: QtBot) -> None:
    picker.show_models(MODELS[:FEW], "Model-2B")
    view = child(picker, QListView, "model_list")
    assert not child(picker, QLineEdit, "model_filter").isVisible()
    assert view.hasFocus()
    qtbot.keyClick(view, Qt.Key.Key_End)
    with qtbot.waitSignal(picker.chosen) as caught:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert caught.args == [f"/m/{FEW}.gguf"]


def test_the_row_that_enter_takes_is_spoken_of_the_field(picker: ModelPicker, child: Find) -> None:
    field = child(picker, QLineEdit, "model_filter")
    picker.take(Offer(MODELS[2], Fit.SHORT, "Q8_0", 4096))
    assert "Model-3B, Q8_0" in field.accessibleDescription()
    assert "Short context, in use" in field.accessibleDescription()
    field.setText("x")
    assert field.accessibleDescription() == "No model has that name."


def test_a_small_window_shows_fewer_rows_and_all_of_the_foot(
    picker: ModelPicker, child: Find
) -> None:
    before = picker.frame.height()
    picker.window().resize(720, 300)
    assert picker.rect().contains(picker.frame.geometry())
    assert picker.frame.height() < before
    foot = child(picker, QPushButton, "picker_plan")
    assert picker.frame.rect().contains(foot.geometry())
    assert child(picker, QListView, "model_list").height() % ROW == 0


def test_two_hundred_models_open_at_once(picker: ModelPicker) -> None:
    many = [ModelRef("llamacpp", f"M-{n}", Path(f"/m/{n}.gguf"), n << 30) for n in range(200)]
    before = process_time()
    picker.show_models(many, "M-199")
    picker.frame.grab()
    assert process_time() - before < 0.3  # 0.02 here; it must not grow with what is out of sight
