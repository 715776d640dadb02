"""The words of downloads: amount, speed, time, state, buttons."""

from __future__ import annotations

import pytest

from rony_desktop.contract.download import DownloadState
from rony_desktop.ui.download.words import (
    amount,
    cancel_word,
    disk_words,
    origin,
    progress,
    share_of,
    state_word,
    toggle_word,
)
from tests.fixture.download import GB, download, quant

pytestmark = pytest.mark.ui
RUNNING = DownloadState.RUNNING


def plain(text: str) -> str:
    return text.replace("\u2009", " ")


def test_how_much_is_there() -> None:
    assert plain(amount(download("a", RUNNING, GB))) == "1.0 of 4.0 GB"
    small = quant("Q2_K", GB // 10)
    assert plain(amount(download("a", RUNNING, GB // 20, small))) == "51 of 102 MB"
    assert plain(amount(download("a", DownloadState.DONE, 4 * GB))) == "4.0 GB"


def test_all_of_it_is_said_only_once_it_is_there() -> None:
    assert share_of(download("a", RUNNING, GB)) == 0.25
    assert share_of(download("a", RUNNING, 9 * GB)) == 1.0
    assert share_of(download("a", RUNNING, 0, quant("x", 0))) == 0.0


def test_progress_says_what_is_known() -> None:
    assert plain(progress(download("a", RUNNING, GB))) == "1.0 of 4.0 GB · 25 %"
    fast = download("a", RUNNING, GB, bytes_per_s=20 * (1 << 20), seconds_left=154)
    assert plain(progress(fast)) == "1.0 of 4.0 GB · 25 % · 20 MB/s · 3 min left"
    assert plain(progress(download("a", DownloadState.QUEUED))) == "Queued · 0.0 of 4.0 GB"


def test_every_state_but_the_plain_one_has_a_word() -> None:
    words = {state: state_word(download("a", state)) for state in DownloadState}
    assert words.pop(RUNNING) == ""
    assert len(set(words.values())) == len(words)
    stalled = download("a", DownloadState.STALLED, attempt=3)
    assert state_word(stalled) == "Reconnecting (3/10)"
    assert state_word(download("a", DownloadState.STALLED)) == "Reconnecting"


def test_whose_it_is_and_in_how_many_files() -> None:
    assert origin(download("a", RUNNING)) == "owner/Model-GGUF · Q4_K_M"
    parts = quant("F16", parts=3)
    assert origin(download("a", RUNNING, of=parts)) == "owner/Model-GGUF · F16 · 3 files"


def test_buttons_say_what_they_do() -> None:
    assert {state: toggle_word(state) for state in DownloadState} == {
        DownloadState.QUEUED: "Pause",
        DownloadState.RUNNING: "Pause",
        DownloadState.STALLED: "Pause",
        DownloadState.VERIFYING: "Pause",
        DownloadState.PAUSED: "Resume",
        DownloadState.FAILED: "Try again",
        DownloadState.DONE: "Use now",
    }
    assert cancel_word(DownloadState.DONE) == "Remove from the list"
    assert cancel_word(RUNNING) == "Cancel"


def test_the_room_that_is_left() -> None:
    assert plain(disk_words(9 * GB)) == "9.0 GB left on the disk"
    assert disk_words(None) == ""
