"""The page of models: list, filter, foot, the pages beside it, and every key."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.contract.error import Action, ModelMissing, ModelNotLinked, NotAChatModel
from rony_desktop.contract.launch import Fit, Offer
from rony_desktop.contract.model import ModelRef
from rony_desktop.contract.removal import Removal
from rony_desktop.contract.root import Root, RootState
from rony_desktop.ui.installed.listing import Listing
from rony_desktop.ui.installed.presenter import Asked, Group
from rony_desktop.ui.installed.view import InstalledPane
from rony_desktop.ui.theme import Theme

pytestmark = [pytest.mark.ui, pytest.mark.qt_log_ignore("does not support", extend=True)]
Find = Callable[..., Any]
ONE, TWO = (
    ModelRef("llamacpp", name, Path(f"/m/{name}.gguf"), 1 << 30) for name in ("llama", "qwen")
)
GROUPS = (
    Group(Root(Path("/m"), RootState.READY, 2, writable=True), (ONE, TWO)),
    Group(Root(Path("/usb"), RootState.MISSING), ()),
)
ASKED = Asked(
    ONE, Removal((Path("/m/llama.gguf"),), 1 << 30, ours=True, linked=False), in_use=False
)


@pytest.fixture
def pane(theme: Theme, qtbot: QtBot) -> InstalledPane:
    pane = InstalledPane(theme)
    qtbot.addWidget(pane)
    pane.resize(900, 600)
    pane.show()
    qtbot.waitUntil(pane.isActiveWindow)
    return pane


@pytest.fixture
def listing(pane: InstalledPane, child: Find) -> Listing:
    pane.show_groups(GROUPS, None)
    found: Listing = child(pane, Listing, "installed_list")
    found.setFocus()
    return found


def test_it_looks_first_then_says_that_there_is_nothing(
    pane: InstalledPane, child: Find, qtbot: QtBot
) -> None:
    title = child(pane, QLabel, "installed_blank_title")
    assert title.text() == "Looking for models"
    pane.show_groups((Group(Root(Path("/m"), RootState.READY), ()),), None)
    assert title.text() == "No model yet"
    with qtbot.waitSignal(pane.discoverRequested):
        child(pane, QPushButton, "blank_discover").click()
    with qtbot.waitSignal(pane.foreignRequested):
        child(pane, QPushButton, "blank_foreign").click()
    assert pane.foreign.isVisible()


def test_enter_uses_another_model_and_only_another(
    pane: InstalledPane, listing: Listing, qtbot: QtBot
) -> None:
    pane.show_current(ONE.path)
    with qtbot.assertNotEmitted(pane.useRequested):
        qtbot.keyClick(listing, Qt.Key.Key_Return)
    listing.step(1)
    with qtbot.waitSignal(pane.useRequested) as told:
        qtbot.keyClick(listing, Qt.Key.Key_Return)
    assert told.args == [str(TWO.path)]


def test_opened_it_begins_with_the_model_in_use(pane: InstalledPane, child: Find) -> None:
    pane.show_current(TWO.path)
    pane.show_groups(GROUPS, None)
    assert child(pane, Listing, "installed_list").key() == str(TWO.path)


def test_a_file_that_is_no_model_is_not_used(
    pane: InstalledPane, listing: Listing, child: Find, qtbot: QtBot
) -> None:
    failure = NotAChatModel(path="llama.gguf").failure()
    pane.show_offer(Offer(ONE, Fit.UNUSABLE, failure=failure))
    assert not child(pane, QPushButton, "installed_use").isEnabled()
    with qtbot.assertNotEmitted(pane.useRequested):
        qtbot.keyClick(listing, Qt.Key.Key_Return)


def test_the_foot_follows_the_list(
    pane: InstalledPane, listing: Listing, child: Find, qtbot: QtBot
) -> None:
    name = child(pane, QLabel, "installed_name")
    assert name.text() == "llama"
    with qtbot.waitSignal(pane.chosen, check_params_cb=lambda key: key == str(TWO.path)):
        qtbot.keyClick(listing, Qt.Key.Key_Down)
    assert name.text() == "qwen"
    for button, asked in (("plan", pane.planRequested), ("reveal", pane.revealRequested)):
        with qtbot.waitSignal(asked) as told:
            child(pane, QPushButton, f"installed_{button}").click()
        assert told.args == [str(TWO.path)]


def test_a_missing_folder_is_looked_for_again(
    pane: InstalledPane, listing: Listing, child: Find, qtbot: QtBot
) -> None:
    listing.step(9)
    assert child(pane, QLabel, "installed_name").text() == "Not there now: /usb"
    with qtbot.waitSignal(pane.lookRequested), qtbot.assertNotEmitted(pane.deleteRequested):
        qtbot.keyClick(listing, Qt.Key.Key_Delete)
        qtbot.keyClick(listing, Qt.Key.Key_Return)


def test_offers_stay_when_it_is_looked_again(pane: InstalledPane, listing: Listing) -> None:
    pane.show_offer(Offer(ONE, Fit.FITS, "Q4_K_M"))
    pane.show_offer(Offer(ModelRef("llamacpp", "gone", Path("/gone")), Fit.FITS))
    listing.step(1)
    pane.show_groups(GROUPS, None)
    row = listing.rows.row(listing.rows.index_of(str(ONE.path)))
    assert row
    assert "Q4_K_M" in row.detail
    assert listing.key() == str(TWO.path)
    pane.show_groups(GROUPS, ONE.path)
    assert listing.key() == str(ONE.path)


def test_the_model_in_use_is_ticked(pane: InstalledPane, listing: Listing) -> None:
    pane.show_current(ONE.path)
    pane.show_current(TWO.path)
    ticked = [listing.rows.row(listing.rows.index(n)) for n in range(listing.rows.rowCount())]
    assert [row.title for row in ticked if row and row.ticked] == ["qwen"]


def test_letters_filter_and_arrows_move_from_the_field(
    pane: InstalledPane, listing: Listing, child: Find, qtbot: QtBot
) -> None:
    field = child(pane, QWidget, "installed_filter")
    qtbot.keyClick(listing, Qt.Key.Key_Q)
    assert (field.hasFocus(), listing.key()) == (True, str(TWO.path))
    with qtbot.waitSignal(pane.useRequested):
        qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.keyClicks(field, "zz")
    assert child(pane, QLabel, "installed_nothing").isVisible()
    assert not pane.detail.isVisible()
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert pane.detail.isVisible()
    qtbot.keyClick(field, Qt.Key.Key_Up)
    assert listing.key() == str(ONE.path)


def test_delete_asks_and_esc_keeps(
    pane: InstalledPane, listing: Listing, child: Find, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(pane.deleteRequested) as told:
        qtbot.keyClick(listing, Qt.Key.Key_Delete)
    assert told.args == [str(ONE.path)]
    pane.show_asked(ASKED)
    keep = child(pane, QPushButton, "installed_keep")
    with qtbot.waitSignal(pane.detail.keepRequested):
        qtbot.keyClick(keep, Qt.Key.Key_Escape)
    pane.show_asked(None)
    assert listing.hasFocus()


def test_another_choice_withdraws_the_question(
    pane: InstalledPane, listing: Listing, qtbot: QtBot
) -> None:
    pane.show_asked(ASKED)
    with qtbot.waitSignal(pane.detail.keepRequested):
        listing.step(1)


def test_an_error_is_tried_again_or_handed_on(
    pane: InstalledPane, listing: Listing, child: Find, qtbot: QtBot
) -> None:
    action = child(pane, QPushButton, "banner_action")
    pane.show_failure(ModelMissing(path="/x", detail="gone").failure())
    with qtbot.waitSignal(pane.lookRequested):
        action.click()
    pane.show_failure(ModelNotLinked(path="/x", detail="no links").failure())
    with qtbot.waitSignal(pane.actionRequested) as told:
        action.click()
    assert told.args == [Action.OPEN_CONFIG]
    pane.show_failure(None)
    assert not action.isVisible()


def test_the_pages_beside_it_open_and_esc_comes_back(
    pane: InstalledPane, listing: Listing, child: Find, qtbot: QtBot
) -> None:
    for name, page, asked in (
        ("foreign", pane.foreign, pane.foreignRequested),
        ("duplicates", pane.duplicates, pane.duplicatesRequested),
        ("revisions", pane.revisions, pane.revisionsRequested),
    ):
        with qtbot.waitSignal(asked):
            child(pane, QPushButton, f"installed_{name}").click()
        assert page.isVisible()
        qtbot.keyClick(page, Qt.Key.Key_Escape)
        assert (page.isVisible(), listing.hasFocus()) == (False, True)


def test_a_file_is_chosen_without_blocking(
    pane: InstalledPane, listing: Listing, child: Find, qtbot: QtBot
) -> None:
    child(pane, QPushButton, "installed_file").click()
    dialog = pane.findChild(QFileDialog)
    assert dialog is not None
    with qtbot.waitSignal(pane.addRequested) as told:
        dialog.fileSelected.emit("/down/x.gguf")
    assert told.args == ["/down/x.gguf"]
    dialog.reject()


def test_hundreds_of_models_are_shown_at_once(pane: InstalledPane, child: Find) -> None:
    many = tuple(ModelRef("llamacpp", f"m{n}", Path(f"/m/m{n}"), 1 << 30) for n in range(500))
    pane.show_groups((Group(GROUPS[0].root, many),), None)
    assert child(pane, Listing, "installed_list").rows.rowCount() == 501
    assert child(pane, QLabel, "installed_sum").text().startswith("500 models")


def test_where_height_is_short_the_page_scrolls_and_nothing_is_cut(
    pane: InstalledPane, listing: Listing, child: Find, qtbot: QtBot
) -> None:
    pane.resize(520, 300)
    pane.show_failure(ModelMissing(path="/x", detail="gone").failure())
    foot = pane.detail
    qtbot.waitUntil(lambda: foot.height() >= foot.minimumSizeHint().height())
    bar = child(pane, QScrollArea, "installed_area").verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    pane.show_failure(None)
    pane.resize(520, 400)
    qtbot.waitUntil(lambda: bar.maximum() == 0)
