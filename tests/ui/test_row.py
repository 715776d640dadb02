"""Rows of the list of chats: a good model, plain text, headings apart."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from rony_desktop.ui.row import ChatModel, ChatRow

pytestmark = pytest.mark.ui
LONG = (
    "<b>A very long title</b> that goes on and on about bridges, arches and domes in all of Spain"
)
ROWS = (
    ChatRow("1", "First", "Today"),
    ChatRow("2", LONG, "Today", "12 messages"),
    ChatRow("3", "Third", "Older"),
)


@pytest.fixture
def model(qapp: object) -> ChatModel:
    model = ChatModel()
    model.set_rows(ROWS)
    return model


def test_it_is_a_good_model_with_headings(model: ChatModel) -> None:
    fatal = QAbstractItemModelTester.FailureReportingMode.Fatal
    tester = QAbstractItemModelTester(model, fatal)
    model.set_rows(ROWS[:2])
    model.set_rows(ROWS)
    assert tester.model() is model
    shown = [model.index(row).data() for row in range(model.rowCount())]
    assert shown == ["Today", "First", LONG, "Older", "Third"]


def test_headings_cannot_be_chosen(model: ChatModel) -> None:
    assert model.index(0).flags() == Qt.ItemFlag.NoItemFlags
    assert model.id_at(model.index(0)) == ""
    assert model.id_at(model.index_of("3")) == "3"
    assert not model.index_of("").isValid()


def test_tips_are_plain_text(model: ChatModel) -> None:
    tip = model.index(2).data(Qt.ItemDataRole.ToolTipRole)
    assert "&lt;b&gt;" in tip
    assert "12 messages" in tip


def test_a_new_title_is_asked_for_and_the_same_or_none_is_not(
    model: ChatModel, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(model.renamed) as caught:
        assert model.setData(model.index(1), "  Other ")
    assert caught.args == ["1", "Other"]
    with qtbot.assertNotEmitted(model.renamed):
        assert not model.setData(model.index(1), "First")
        assert not model.setData(model.index(1), "   ")
