"""The words of models to download, whatever is known of them; names are shown as they are."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from rony_desktop.contract.download import Download, DownloadState
from rony_desktop.contract.error import DownloadFull, NotAChatModel
from rony_desktop.contract.hub import HubModel
from rony_desktop.contract.launch import Fit
from rony_desktop.ui.discover.state import Found, Item, Opened
from rony_desktop.ui.discover.words import (
    found_words,
    item_line,
    item_sentence,
    model_line,
    origin,
    press_words,
    titles,
)
from tests.fixture.download import GB, MODEL, download, offer, quant

pytestmark = pytest.mark.ui
USUAL = quant("Q4_K_M", 5 * GB)
DATED = replace(MODEL, updated=datetime(2026, 5, 7, tzinfo=UTC))
FULL = DownloadFull(name="m", need="5 GB", free="1 GB", folder="/m").failure()
NO_CHAT = NotAChatModel(path="m.gguf").failure()


def plain(text: str) -> str:
    return text.replace("\u2009", " ").replace("\u202f", " ")


def opened(item: Item, **changes: object) -> Opened:
    return replace(Opened(MODEL, False, (item,), 0), **changes)  # type: ignore[arg-type]


def test_a_model_that_was_found() -> None:
    line = model_line(DATED)
    assert line.title == "owner/Model-GGUF"
    assert line.detail == "1.2M downloads · 2026-05-07 · mit · 3.4k likes"
    assert (line.side, line.sign) == ("", "")
    gated = model_line(HubModel("a/b", 5, gated=True))
    assert gated.detail == "5 downloads"
    assert (gated.side, gated.sign) == ("Gated", "shield")
    assert "accepted on the hub" in gated.tip


def test_a_name_cannot_hide_what_it_is() -> None:
    bad = HubModel("a/\u202egnp.b\x07", 1, gated=False, licence="m\u200bit")
    assert model_line(bad).title == "a/\\u202egnp.b\\u0007"
    assert origin(bad) == "Licence m\\u200bit"


def test_below_an_opened_model() -> None:
    assert origin(DATED) == "Licence mit · updated 2026-05-07"
    assert "accept it" in origin(replace(MODEL, gated=True))
    assert origin(HubModel("a/b", 1, gated=False)) == ""


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (Found(), "Nothing is sent before"),
        (Found("abc", searching=True), "Searching for “abc”"),
        (Found("abc", models=(MODEL,)), "1 model"),
        (Found("abc", models=(MODEL, MODEL)), "2 models, most downloaded first"),
        (Found("abc", models=()), "Nothing was found for “abc”"),
    ],
)
def test_what_is_said_of_a_search(found: Found, words: str) -> None:
    assert words in found_words(found)


def test_quants_of_one_name_are_told_apart_by_their_files() -> None:
    one, other, none = USUAL, quant("Q4_K_M-imat"), quant("")
    items = [Item(one), Item(replace(other, name="Q4_K_M")), Item(none), Item(quant("Q2_K"))]
    assert titles(items) == ["Model-Q4_K_M", "Model-Q4_K_M-imat", "Model-", "Q2_K"]


def test_what_is_known_of_a_quant_grows() -> None:
    line = item_line(Item(USUAL), "Q4_K_M")
    assert (plain(line.detail), line.side, line.tag, line.below) == ("5.0 GB", "", "", "")
    guess = Item(USUAL, offer(USUAL, Fit.GPU, exact=False), recommended=True)
    line = item_line(guess, "Q4_K_M")
    assert plain(line.detail) == "5.0 GB · about 20 tok/s · context 8k"
    assert (line.side, line.tag) == ("Fits on the GPU", "Recommended")
    assert "Expected: 18\u201322 tok/s" in plain(line.tip)
    slow = Item(USUAL, offer(USUAL, per_s=5))
    assert plain(item_line(slow, "x").detail) == "5.0 GB · 5.0 tok/s · context 8k"
    parts = quant("F16", 6 * GB, parts=3)
    assert plain(item_line(Item(parts), "F16").detail) == "6.0 GB · 3 files"


def test_every_fit_has_its_word_and_sign() -> None:
    lines = [item_line(Item(USUAL, offer(USUAL, fit)), "x") for fit in Fit]
    assert len({line.side for line in lines}) == len(Fit)
    assert all(line.sign for line in lines)


@pytest.mark.parametrize(
    ("fetched", "place", "button", "look"),
    [
        (None, "", "Download 5.0 GB", "primary"),
        (
            download("a", DownloadState.RUNNING, 2 * GB, USUAL),
            "Downloading 40 %",
            "same",
            "outline",
        ),
        (download("a", DownloadState.QUEUED, of=USUAL), "Queued", "same", "outline"),
        (
            download("a", DownloadState.STALLED, of=USUAL, attempt=3),
            "Reconnecting (3/10)",
            "same",
            "outline",
        ),
        (download("a", DownloadState.PAUSED, of=USUAL), "Paused", "Resume", "primary"),
        (download("a", DownloadState.FAILED, of=USUAL), "Stopped", "Try again", "primary"),
    ],
)
def test_row_and_button_follow_the_download(
    fetched: Download | None, place: str, button: str, look: str
) -> None:
    item = Item(USUAL, offer(USUAL), fetched)
    assert plain(item_line(item, "x").below) == place
    text, shown = press_words(opened(item))
    assert (plain(text), shown) == (place if button == "same" else button, look)


def test_what_is_here_is_used() -> None:
    item = Item(USUAL, path="/m/x.gguf")
    assert item_line(item, "x").below == "On this computer"
    assert press_words(opened(item)) == ("Use now", "primary")
    assert item_sentence(opened(item)) == "It is on this computer."


def test_what_is_too_large_is_no_first_choice() -> None:
    item = Item(USUAL, offer(USUAL, Fit.TOO_LARGE))
    assert press_words(opened(item))[1] == "outline"
    assert press_words(opened(item, asked=True)) == ("Download anyway", "outline")
    assert "Press again" in item_sentence(opened(item, asked=True))


def test_the_sentence_says_what_is_known() -> None:
    item = Item(USUAL, offer(USUAL))
    assert plain(item_sentence(opened(item))).endswith("now. Expected: 18\u201322 tok/s.")
    assert item_sentence(opened(Item(USUAL))) == "How it fits is not known."
    assert "Looking" in item_sentence(opened(Item(USUAL), reading=True))
    assert "Looking" in item_sentence(Opened(MODEL))
    nothing = Opened(MODEL, reading=False)
    assert (item_sentence(nothing), press_words(nothing)[0]) == ("", "")
    unusable = Item(USUAL, offer(USUAL, Fit.UNUSABLE, failure=NO_CHAT))
    assert "m.gguf" in item_sentence(opened(unusable))
    assert plain(item_line(unusable, "x").detail) == "5.0 GB"
    failed = Item(USUAL, offer(USUAL), download("a", DownloadState.FAILED, failure=FULL))
    assert "not enough room" in item_sentence(opened(failed))
    assert "then resume" in item_sentence(opened(failed))
