"""The page of downloads: rows that stay, focus that stays, and nothing where nothing is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from rony_desktop.contract.download import DownloadState
from rony_desktop.contract.error import DownloadUnwritable, StorageError
from rony_desktop.ui.download.presenter import DownloadsState
from rony_desktop.ui.download.view import DownloadsPane
from rony_desktop.ui.theme import Theme
from tests.fixture.download import GB, download

pytestmark = [pytest.mark.ui, pytest.mark.qt_log_ignore("does not support", extend=True)]
Find = Callable[..., Any]
THREE = tuple(download(id, DownloadState.PAUSED, GB) for id in "abc")


@pytest.fixture
def pane(theme: Theme, qtbot: QtBot) -> DownloadsPane:
    pane = DownloadsPane(theme)
    qtbot.addWidget(pane)
    pane.resize(720, 420)
    pane.show()
    pane.activateWindow()
    qtbot.waitUntil(pane.isActiveWindow)
    return pane


def order(pane: DownloadsPane) -> list[str]:
    rows = sorted(pane._rows.items(), key=lambda each: pane._list.indexOf(each[1]))
    return [id for id, _ in rows]


def test_without_downloads_it_leads_to_models(
    pane: DownloadsPane, child: Find, qtbot: QtBot
) -> None:
    button = child(pane, QPushButton, "empty_action")
    assert button.isVisible()
    with qtbot.waitSignal(pane.discoverRequested):
        button.click()
    pane.show_state(DownloadsState(THREE))
    assert not button.isVisible()


def test_rows_are_in_the_order_of_the_queue_and_stay_the_same(pane: DownloadsPane) -> None:
    pane.show_state(DownloadsState(THREE))
    before = dict(pane._rows)
    pane.show_state(DownloadsState((THREE[2], THREE[0], replace(THREE[1], id="d"))))
    assert order(pane) == ["c", "a", "d"]
    assert pane._rows["c"] is before["c"]
    pane.show_state(DownloadsState())
    assert pane._rows == {}


def test_arrows_go_from_row_to_row_and_focus_outlives_a_row(
    pane: DownloadsPane, qtbot: QtBot
) -> None:
    pane.show_state(DownloadsState(THREE))
    pane._rows["a"].setFocus()
    qtbot.keyClick(pane._rows["a"], Qt.Key.Key_Up)
    assert pane._rows["a"].hasFocus()
    qtbot.keyClick(pane._rows["a"], Qt.Key.Key_Down)
    assert pane._rows["b"].hasFocus()
    pane.show_state(DownloadsState((THREE[0], THREE[2])))
    assert pane._rows["c"].hasFocus()
    pane.show_state(DownloadsState((THREE[0],)))
    assert pane._rows["a"].hasFocus()


def test_what_rows_ask_is_passed_on(pane: DownloadsPane, qtbot: QtBot) -> None:
    pane.show_state(DownloadsState(THREE, asked="b", busy=frozenset("c")))
    assert pane._rows["b"]._asked
    assert not pane._rows["c"]._toggle.isEnabled()
    row = pane._rows["a"]
    for signal, request in (
        (row.toggled, pane.toggleRequested),
        (row.cancelled, pane.cancelRequested),
        (row.used, pane.useRequested),
        (row.failurePressed, pane.actionRequested),
    ):
        with qtbot.waitSignal(request) as asked:
            signal.emit("a")
        assert asked.args == ["a"]
    with qtbot.waitSignal(pane.keepRequested):
        row.kept.emit()


def test_the_room_that_is_left_is_said_once(pane: DownloadsPane, child: Find) -> None:
    disk = child(pane, QLabel, "downloads_disk")
    assert not disk.isVisible()
    pane.show_state(DownloadsState(THREE, 9 * GB))
    assert disk.text().startswith("9.0")
    assert disk.isVisible()


def test_an_error_has_a_button_only_where_it_helps(
    pane: DownloadsPane, child: Find, qtbot: QtBot
) -> None:
    unkept = StorageError(path="x", detail="full").failure()
    pane.show_state(DownloadsState(THREE, failure=unkept))
    assert child(pane, QLabel, "banner_sentence").isVisible()
    assert not child(pane, QPushButton, "banner_action").isVisible()
    unwritable = DownloadUnwritable(path="x", detail="no").failure()
    pane.show_state(DownloadsState(THREE, failure=unwritable))
    with qtbot.waitSignal(pane.actionRequested) as asked:
        child(pane, QPushButton, "banner_action").click()
    assert asked.args == ["open_data"]
    pane.show_state(DownloadsState(THREE))
    assert not child(pane, QLabel, "banner_sentence").isVisible()


def test_it_tells_whether_anybody_looks(pane: DownloadsPane, qtbot: QtBot) -> None:
    with qtbot.waitSignal(pane.watched) as told:
        pane.hide()
    assert told.args == [False]
    with qtbot.waitSignal(pane.watched) as told:
        pane.show()
    assert told.args == [True]
