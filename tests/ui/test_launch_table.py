"""The flags of a launch: every one with its value, its reason and its source."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from rony_desktop.contract.launch import Flag
from rony_desktop.contract.plan import Reason, Source, Why
from rony_desktop.ui.launch.table import FlagTable
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
PATH = str(Path("/models").absolute() / ("deep" * 20) / "tiny.gguf")
FLAGS = (
    Flag("-m", PATH, Reason(Why.THIS_FILE)),
    Flag("-c", "4096", Reason(Why.KEPT, Source.KEPT)),
    Flag("-t", "3", Reason(Why.TUNED, Source.TUNED)),
    Flag("--later", "", Reason(Why.LOWERED, Source.LOWERED)),
)


@pytest.fixture
def table(theme: Theme, qtbot: QtBot) -> FlagTable:
    table = FlagTable(theme)
    qtbot.addWidget(table)
    table.resize(700, 100)
    table.show_flags(FLAGS)
    table.show()
    return table


def cells(table: FlagTable, row: int) -> list[str]:
    return [item.text() for column in range(4) if (item := table.item(row, column))]


def test_every_flag_has_a_row(table: FlagTable) -> None:
    assert table.rowCount() == 4
    assert cells(table, 1) == ["-c", "4096", "Context: Set by you for this model.", "you"]
    assert cells(table, 2)[3] == "tuned"
    assert cells(table, 3) == ["--later", "", "Lowered, for memory ran out.", "lowered"]


def test_a_long_value_is_cut_and_still_there(table: FlagTable) -> None:
    item = table.item(0, 1)
    assert item is not None
    assert item.text().endswith("tiny.gguf")
    assert len(item.text()) < len(PATH)
    assert item.data(Qt.ItemDataRole.AccessibleTextRole) == PATH
    assert PATH in item.toolTip()


def test_it_is_as_high_as_its_rows_at_any_width(table: FlagTable, qtbot: QtBot) -> None:
    wide = table.height()
    table.resize(440, table.height())
    qtbot.waitUntil(lambda: table.height() > wide)
    rows = sum(table.rowHeight(row) for row in range(table.rowCount()))
    assert rows < table.height() < rows + 60


def test_the_keyboard_goes_through_the_rows_and_out(table: FlagTable, qtbot: QtBot) -> None:
    table.setCurrentCell(0, 0)
    qtbot.keyClick(table, Qt.Key.Key_Down)
    assert table.currentRow() == 1
    assert not table.tabKeyNavigation()
