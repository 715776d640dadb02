"""The sum is shown line by line, and beside or below each other as there is room."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from rony_desktop.contract.plan import Wanted
from rony_desktop.ui.number import gigabytes
from rony_desktop.ui.plan.ledger import needed
from rony_desktop.ui.plan.sum import Ledger, Sum
from rony_desktop.ui.theme import Theme
from tests.fixture.plan import CARD, planned

pytestmark = pytest.mark.ui
Find = Callable[..., Any]


@pytest.fixture
def table(theme: Theme, qtbot: QtBot) -> Sum:
    table = Sum(theme)
    qtbot.addWidget(table)
    table.resize(700, 300)
    table.show()
    return table


def test_every_line_is_shown(table: Sum, tmp_path: Path, child: Find) -> None:
    made = planned(tmp_path)
    table.show_plan(made.plan)
    said = child(table, Ledger, "plan_needed").text().splitlines()
    assert len(said) == len(needed(made.plan))
    assert said[0] == f"Weights as in the file: {gigabytes(made.plan.estimate.model_bytes, 2)}"
    assert said[-1].startswith("Together: ")
    there = child(table, Ledger, "plan_ram").text()
    assert "Left to the system: \u22124.00" in there
    assert "Stays free" in there
    assert not child(table, Ledger, "plan_vram").isVisible()


def test_another_plan_leaves_no_line_of_the_one_before(
    table: Sum, tmp_path: Path, child: Find
) -> None:
    made = planned(tmp_path, gpus=(CARD,), again_gib=1)
    table.show_plan(made.plan)
    assert "Comes free again" in child(table, Ledger, "plan_ram").text()
    assert "May be used" in child(table, Ledger, "plan_vram").text()
    table.show_plan(planned(tmp_path, Wanted(n_ctx=131_072), free_gib=8).plan)
    there = child(table, Ledger, "plan_ram").text()
    assert "Comes free again" not in there
    assert "Too much" in there
    assert "GPU" not in child(table, Ledger, "plan_needed").text()


def test_columns_stand_below_each_other_where_it_is_narrow(
    table: Sum, tmp_path: Path, child: Find, qtbot: QtBot
) -> None:
    table.show_plan(planned(tmp_path).plan)
    left, right = child(table, Ledger, "plan_needed"), child(table, Ledger, "plan_ram")
    qtbot.waitUntil(lambda: right.x() > left.x())
    table.resize(420, 600)
    qtbot.waitUntil(lambda: right.x() == left.x() and right.y() > left.y())
