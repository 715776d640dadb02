"""One download as a row: what it says, its keys and buttons, and the question it asks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from rony_desktop.contract.download import DownloadState
from rony_desktop.contract.error import DownloadFull, DownloadStalled, UpstreamChanged
from rony_desktop.ui.download.row import DownloadRow
from rony_desktop.ui.theme import Theme
from tests.fixture.download import GB, download

pytestmark = [pytest.mark.ui, pytest.mark.qt_log_ignore("does not support", extend=True)]
Find = Callable[..., Any]
RUNNING = download("a", DownloadState.RUNNING, GB)
PAUSED, DONE = download("a", DownloadState.PAUSED, GB), download("a", DownloadState.DONE, 4 * GB)
FULL = DownloadFull(name="m", need="5 GB", free="1 GB", folder="/m").failure()
STALLED = DownloadStalled(name="m", attempts="10", detail="cut").failure()


@pytest.fixture
def row(theme: Theme, qtbot: QtBot) -> DownloadRow:
    row = DownloadRow(theme, RUNNING)
    qtbot.addWidget(row)
    row.resize(520, 120)
    row.show()
    row.activateWindow()
    qtbot.waitUntil(row.isActiveWindow)
    row.setFocus()
    return row


def test_keys_do_what_the_buttons_do(row: DownloadRow, child: Find, qtbot: QtBot) -> None:
    said = list[tuple[str, object]]()
    row.toggled.connect(lambda id: said.append(("toggled", id)))
    row.cancelled.connect(lambda id: said.append(("cancelled", id)))
    row.used.connect(lambda id: said.append(("used", id)))
    row.stepped.connect(lambda by: said.append(("stepped", by)))
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Delete, Qt.Key.Key_Return, Qt.Key.Key_Down):
        qtbot.keyClick(row, key)
    qtbot.keyClick(row, Qt.Key.Key_Up)
    assert said == [("toggled", "a"), ("cancelled", "a"), ("stepped", 1), ("stepped", -1)]
    said.clear()
    child(row, QPushButton, "download_toggle").click()
    child(row, QPushButton, "download_cancel").click()
    assert said == [("toggled", "a"), ("cancelled", "a")]
    said.clear()
    row.show_download(DONE)
    qtbot.keyClick(row, Qt.Key.Key_Space)
    qtbot.keyClick(row, Qt.Key.Key_Return)
    child(row, QPushButton, "download_toggle").click()
    assert said == [("used", "a"), ("used", "a")]


def test_it_says_where_it_is(row: DownloadRow, child: Find) -> None:
    assert child(row, QLabel, "download_progress").text().startswith("1.0 of 4.0")
    assert row._meter._share == 0.25
    assert row.accessibleName().startswith("Model-Q4_K_M.gguf. owner/Model-GGUF · Q4_K_M. 1.0 of")
    row.show_download(DONE)
    assert not row._meter.isVisible()
    assert child(row, QPushButton, "download_toggle").text() == "Use now"


def test_a_failure_says_what_helps_and_has_its_button(
    row: DownloadRow, child: Find, qtbot: QtBot
) -> None:
    failed = download("a", DownloadState.FAILED, GB, failure=FULL)
    row.show_download(failed)
    assert "not enough room" in row._notes["danger"].text()
    assert "not enough room" in row.accessibleName()
    with qtbot.waitSignal(row.failurePressed) as pressed:
        child(row, QPushButton, "download_help").click()
    assert pressed.args == ["open_data"]
    row.show_download(replace(failed, failure=STALLED))
    assert not child(row, QPushButton, "download_help").isVisible()
    assert child(row, QPushButton, "download_toggle").text() == "Try again"
    row.show_download(RUNNING)
    assert not row._notes["danger"].isVisible()


def test_a_note_does_not_look_like_an_error(row: DownloadRow) -> None:
    note = UpstreamChanged(name="m").failure()
    row.show_download(download("a", DownloadState.RUNNING, note=note))
    assert row._notes["info"].isVisible()
    assert "replaced on the hub" in row.accessibleName()
    assert not row._notes["danger"].isVisible()


def test_the_question_stands_in_place_of_the_buttons(
    row: DownloadRow, child: Find, qtbot: QtBot
) -> None:
    row.show_download(PAUSED, asked=True)
    question = child(row, QLabel, "download_question")
    assert question.text().replace("\u2009", " ") == "Delete 1.0 GB?"
    assert "Delete 1.0" in row.accessibleName()
    assert not child(row, QPushButton, "download_toggle").isVisible()
    keep = child(row, QPushButton, "download_keep")
    assert keep.hasFocus()
    with qtbot.waitSignal(row.kept):
        qtbot.keyClick(keep, Qt.Key.Key_Escape)
    with qtbot.waitSignal(row.cancelled):
        qtbot.keyClick(keep, Qt.Key.Key_Delete)
    with qtbot.waitSignal(row.cancelled):
        child(row, QPushButton, "download_delete").click()
    with qtbot.waitSignal(row.kept):
        qtbot.keyClick(keep, Qt.Key.Key_Return)
    row.show_download(PAUSED)
    assert not question.isVisible()
    assert row.hasFocus()


def test_while_something_is_done_with_it_nothing_else_can_be(row: DownloadRow, child: Find) -> None:
    row.show_download(RUNNING, busy=True)
    assert not child(row, QPushButton, "download_toggle").isEnabled()
    assert not child(row, QPushButton, "download_cancel").isEnabled()


def test_a_name_cannot_hide_what_it_is(row: DownloadRow, child: Find) -> None:
    bad = replace(RUNNING, target=RUNNING.target.with_name("\u202efugg.exe<b>.gguf"))
    row.show_download(bad)
    label = child(row, QLabel, "download_name")
    assert label.text() == "\\u202efugg.exe<b>.gguf"
    assert label.textFormat() is Qt.TextFormat.PlainText
