"""What the page of models says: of folders, deletions, checks, links and duplicates."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.contract.adopt import Duplicate, Found, Program
from rony_desktop.contract.check import ModelCheck, Part, Shape, ShapeCheck, ToolMode, ToolScore
from rony_desktop.contract.download import DownloadState
from rony_desktop.contract.error import DownloadHeld, ModelCut, NotAChatModel
from rony_desktop.contract.hub import HubFile, Quant
from rony_desktop.contract.launch import Fit, Offer
from rony_desktop.contract.model import ModelRef
from rony_desktop.contract.removal import Removal
from rony_desktop.contract.revision import Revision
from rony_desktop.contract.root import Root, RootState
from rony_desktop.ui.installed.foreign import ForeignState
from rony_desktop.ui.installed.presenter import Asked
from rony_desktop.ui.installed.revision import RevisionState
from rony_desktop.ui.installed.words import (
    asked_words,
    duplicate_row,
    found_row,
    health_words,
    model_row,
    place_text,
    revision_row,
    root_key,
    root_row,
    sum_words,
)
from tests.fixture.download import download

pytestmark = pytest.mark.ui
GIB = 1 << 30
ONE = ModelRef("llamacpp", "Llama-1B", Path("/m/one.gguf"), GIB)
FOUND = Found(Program.JAN, "phi\u202e-4", Path("/jan/phi.gguf"), 2 * GIB)


def test_the_home_folder_is_short_and_a_name_like_it_is_not() -> None:
    home = Path.home()
    assert place_text(home / "models" / "x") == "~/models/x"
    assert place_text(home) == "~"
    assert place_text(Path(f"{home}2/x")) == f"{home}2/x"


def test_a_model_in_use_says_so_in_words_and_by_a_tick() -> None:
    row = model_row(ONE, Offer(ONE, Fit.FITS, "Q4_K_M"), current=True)
    assert (row.ticked, row.detail) == (True, "in use · Q4_K_M · 1.0\u2009GB")
    assert row.mark == ("check", "ok", "Fits")
    assert model_row(ONE, None, current=False).mark is None


def test_a_file_that_is_no_model_steps_back() -> None:
    failure = NotAChatModel(path="/m/one.gguf").failure()
    row = model_row(ONE, Offer(ONE, Fit.UNUSABLE, failure=failure), current=False)
    assert row.muted
    assert row.detail.startswith("one.gguf is not a chat model: it has no chat template")


def test_names_cannot_hide_what_they_are() -> None:
    row = model_row(replace(ONE, id="a\u202eb\n"), None, current=False)
    assert row.title == "a\\u202eb\\n"
    assert found_row(FOUND, ForeignState()).title == "phi\\u202e-4"


@pytest.mark.parametrize("state", [s for s in RootState if s is not RootState.READY])
def test_a_folder_that_is_away_is_a_row_of_its_own(state: RootState) -> None:
    root = Root(Path("/usb"), state)
    row = root_row(root)
    assert (row.key, row.muted) == (root_key(root), True)
    assert row.title.endswith(": /usb")
    assert row.detail


def test_a_folder_says_what_is_special_about_it() -> None:
    ready = Root(Path("/m"), RootState.READY, 2, writable=True)
    assert root_row(ready) == root_row(ready)
    assert root_row(ready).title == "/m"
    odd = replace(ready, models=0, writable=False, skipped=(Path("/m/x"), Path("/m/y")))
    assert root_row(odd).title == "/m · read only · no model in it · 2 not looked at"
    assert root_row(odd).key == ""


def test_the_sum_counts() -> None:
    assert sum_words(1, GIB) == "One model, 1.0\u2009GB"
    assert sum_words(3, 5 * GIB) == "3 models, 5.0\u2009GB"


def test_a_deletion_says_what_it_frees() -> None:
    one, two = Path("/m/one.gguf"), Path("/m/two.gguf")
    whole = Asked(ONE, Removal((one, two), 4 * GIB, ours=True, linked=False), in_use=False)
    assert asked_words(whole) == (
        "Delete Llama-1B?",
        "Deletes 2 files for good, frees 4.0\u2009GB.",
    )
    single = replace(whole, removal=Removal((one,), GIB // 4, ours=True, linked=False))
    assert asked_words(single)[1] == "Deletes one file for good, frees 256\u2009MB."
    linked = replace(whole, removal=Removal((one,), 0, ours=True, linked=True))
    assert asked_words(linked)[1].startswith("Only the link is deleted")


def test_what_cannot_be_deleted_says_why() -> None:
    theirs = Asked(ONE, Removal((Path("/usb/x"),), 0, ours=False, linked=False), in_use=False)
    assert "/usb" in asked_words(theirs)[1]
    assert asked_words(replace(theirs, in_use=True))[0] == "Llama-1B is in use"


def test_the_health_of_a_model_is_one_line() -> None:
    native = ModelCheck(build="b1", mode=ToolMode.NATIVE, native=ToolScore(7, 8, 8))
    assert health_words(native) == "Chat template works · tools: its own form, 7/8"
    dropped = ShapeCheck(Shape.TOOLS, (Part.TOOL,))
    none = replace(native, mode=ToolMode.NONE, shapes=(dropped,))
    assert health_words(none) == "Its template has trouble with tools · cannot call tools"
    forgetful = replace(none, shapes=(dropped, ShapeCheck(Shape.TURNS, (Part.LAST,))))
    assert health_words(forgetful).startswith("Its template leaves out the newest message")
    envelope = replace(native, mode=ToolMode.ENVELOPE, envelope=ToolScore(6, 8, 8))
    assert "envelope, 6/8" in health_words(envelope)
    assert health_words(None).startswith("Not checked yet")


def test_a_model_of_another_program_says_where_linking_it_is() -> None:
    state = ForeignState((FOUND,))
    assert found_row(FOUND, state).detail == "Jan · 2.0\u2009GB · /jan/phi.gguf"
    marks = [
        found_row(FOUND, each).mark
        for each in (
            state,
            replace(state, linking=FOUND),
            replace(state, linked=frozenset({FOUND.path})),
            replace(state, failures={FOUND.path: ModelCut(path="p", detail="d").failure()}),
        )
    ]
    assert [mark[2] if mark else "" for mark in marks] == ["", "Linking", "Linked", "Not linked"]


def test_a_duplicate_says_what_it_frees() -> None:
    twice = Duplicate("ab", GIB, Path("/o/kept"), (Path("/m/a.gguf"), Path("/m/b.gguf")))
    row = duplicate_row(twice)
    assert (row.key, row.title, row.detail) == ("ab", "a", "2 copies · /o/kept")
    assert row.mark
    assert row.mark[2] == "frees 2.0\u2009GB"
    assert duplicate_row(replace(twice, copies=twice.copies[:1])).detail.startswith("one copy")


def changed(*hashes: str) -> Quant:
    files = (HubFile("who/what", f"{n}.gguf", GIB, sha, sha * 40) for n, sha in enumerate(hashes))
    return Quant("Q4_K_M", tuple(files))


def test_a_newer_revision_says_what_changed_and_which_commits_they_are() -> None:
    path = Path("/m/what\u202e-00001-of-00002.gguf")
    row = revision_row(Revision(path, changed("a", "b"), changed("a", "c")), RevisionState())
    assert (row.key, row.title) == (str(path), "what\\u202e-00001-of-00002")
    assert row.detail == "1 of 2 files changed, 1.0\u2009GB to download · who/what"
    assert (row.mark, row.tip) == (None, "Commit aaaaaaa, here aaaaaaa")
    row = revision_row(Revision(path, changed("a"), changed("b")), RevisionState())
    assert row.detail == "Changed, 1.0\u2009GB to download · who/what"
    assert row.tip == "Commit bbbbbbb, here aaaaaaa"


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (DownloadState.QUEUED, "Downloading"),
        (DownloadState.VERIFYING, "Downloading"),
        (DownloadState.PAUSED, "Paused"),
        (DownloadState.DONE, "Updated"),
        (DownloadState.FAILED, "Not updated"),
    ],
)
def test_an_update_says_where_it_is(state: DownloadState, words: str) -> None:
    path = Path("/models/0.gguf")
    revision = Revision(path, changed("a"), changed("b"))
    failed = state is DownloadState.FAILED
    failure = DownloadHeld(name="0.gguf", detail="in use").failure() if failed else None
    coming = {path: download("1", state, of=revision.offered, failure=failure)}
    row = revision_row(revision, RevisionState(downloads=coming))
    assert row.mark
    assert row.mark[2] == words
    assert row.detail.startswith("0.gguf is here, but cannot" if failed else "Changed")
    assert row.tip.startswith("Where that model is in use" if failed else "Commit bbbbbbb")
