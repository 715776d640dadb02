"""The painted rows: how high, what is read aloud, how a refused hunk looks."""

import pytest
from pytestqt.qtbot import QtBot

from rony_desktop.contract.approval import FileChange, Hunk
from rony_desktop.ui.approval.canvas import HEAD, DiffCanvas
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
CHANGE = FileChange("a", "x", "y", (Hunk(0, ("one\n",), ("two\n",)), Hunk(5, (), ("end",))))


def canvas(theme: Theme, qtbot: QtBot, change: FileChange = CHANGE) -> DiffCanvas:
    shown = DiffCanvas(theme)
    qtbot.addWidget(shown)
    shown.fit(400)
    shown.show_change(change, len(change.hunks) > 1)
    shown.show()
    return shown


def test_it_is_as_high_as_its_rows(theme: Theme, qtbot: QtBot) -> None:
    shown = canvas(theme, qtbot)
    row = (shown.height() - 2 * HEAD) // 4
    assert shown.height() == 2 * HEAD + 4 * row
    assert shown.height_at(400, 10_000) == shown.height()
    assert shown.height_at(400, 50) < shown.height()
    long = FileChange("a", None, "y", (Hunk(0, (), ("x" * 500 + "\n",)),))
    shown.show_change(long, False)
    wide = shown.height()
    shown.fit(200)
    assert shown.height() > wide > row


def test_it_is_read_aloud_hunk_by_hunk_and_not_without_end(theme: Theme, qtbot: QtBot) -> None:
    shown = canvas(theme, qtbot)
    assert shown.words() == "Removed: one\nAdded: two\nAdded: end"
    assert shown.words(1) == "Added: end"
    endless = FileChange("a", None, "y", (Hunk(0, (), ("word\n",) * 100_000),))
    assert len(canvas(theme, qtbot, endless).words()) < 5000


def test_a_refused_hunk_looks_refused(theme: Theme, qtbot: QtBot) -> None:
    shown = canvas(theme, qtbot)
    before = shown.grab().toImage()
    shown.set_taken(0, False)
    assert shown.grab().toImage() != before
    shown.set_taken(0, True)
    assert shown.grab().toImage() == before


def test_rows_tell_removed_from_added_without_colour(theme: Theme, qtbot: QtBot) -> None:
    removed = canvas(theme, qtbot, FileChange("a", "x", "y", (Hunk(0, ("same\n",), ()),)))
    added = canvas(theme, qtbot, FileChange("a", "x", "y", (Hunk(0, (), ("same\n",)),)))
    for hunk in (removed, added):
        hunk.set_taken(0, False)
    assert removed.grab().toImage() != added.grab().toImage()
