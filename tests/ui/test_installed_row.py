"""Rows of models: their filter, their headings, and what is read aloud."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, Qt

from rony_desktop.ui.installed.row import Row, RowModel, row_at

pytestmark = pytest.mark.ui
A, B = Row("", "~/a"), Row("", "~/b")
ONE, TWO, THREE = Row("1", "Llama 1B", "Q4 · 1 GB"), Row("2", "Qwen 8B"), Row("3", "Qwen 1B")


@pytest.fixture
def model() -> RowModel:
    model = RowModel()
    model.set_rows((A, ONE, TWO, B, THREE))
    return model


def titles(model: RowModel) -> list[object]:
    return [model.index(n).data() for n in range(model.rowCount())]


def test_a_filter_leaves_headings_with_something_below_them(model: RowModel) -> None:
    model.set_filter("1b QWEN")
    assert titles(model) == ["~/b", "Qwen 1B"]
    model.set_filter("nothing")
    assert (titles(model), model.first().isValid()) == ([], False)
    model.set_filter("")
    assert titles(model) == ["~/a", "Llama 1B", "Qwen 8B", "~/b", "Qwen 1B"]


def test_a_heading_cannot_be_chosen(model: RowModel) -> None:
    assert model.index(0).flags() == Qt.ItemFlag.NoItemFlags
    assert model.index(1).flags() & Qt.ItemFlag.ItemIsSelectable
    assert model.first().row() == 1
    assert model.index_of("").isValid() is False


def test_the_same_rows_keep_their_places(model: RowModel) -> None:
    resets: list[None] = []
    model.modelReset.connect(lambda: resets.append(None))
    model.set_filter("qwen")
    resets.clear()
    model.set_rows((A, ONE, Row("2", "Qwen 8B", ticked=True), B, THREE))
    assert resets == []
    found = model.row(model.index_of("2"))
    assert found
    assert found.ticked
    model.set_rows((A, ONE))
    assert (len(resets), titles(model)) == (1, [])


def test_a_row_is_put_in_whatever_is_filtered(model: RowModel) -> None:
    model.set_filter("llama")
    model.put(Row("2", "Qwen 8B", "now"))
    model.set_filter("")
    found = row_at(model, model.index_of("2"))
    assert found
    assert found.detail == "now"
    assert row_at(model, QModelIndex()) is None


def test_all_of_it_is_read_aloud_and_nothing_is_html() -> None:
    model = RowModel()
    model.set_rows((Row("1", "<b>x</b>", "Q4 · 1 GB", ("check", "ok", "Fits"), tip="Commit a"),))
    index = model.index(0)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "<b>x</b>, Q4, 1 GB, Fits"
    tip = str(index.data(Qt.ItemDataRole.ToolTipRole))
    assert "&lt;b&gt;" in tip
    assert "Commit a" in tip
