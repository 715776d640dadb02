from __future__ import annotations

import hashlib
import resource
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rony_desktop.contract.download import DownloadState, Step
from rony_desktop.contract.error import (
    ChecksumMismatch,
    DownloadFull,
    DownloadStalled,
    DownloadUnwritable,
    HubBusy,
    HubForeign,
    HubGated,
    HubUnreachable,
    RonyError,
    UpstreamChanged,
)
from rony_desktop.contract.halt import Halt, Halted
from rony_desktop.contract.hub import HubFile
from rony_desktop.model.reserve import Reserve
from rony_desktop.model.transfer import Means, Patience, Transfer
from tests.fake.hub import FakeHub, Given

WHOLE = b"GGUF" + bytes(range(96))
FILE = HubFile("a/b", "m.gguf", 100, hashlib.sha256(WHOLE).hexdigest())
BROKEN = HubUnreachable(host="hub", detail="closed")


@dataclass
class Trial:
    """A transfer of WHOLE into a folder, from what a hub is given to say."""

    folder: Path
    free: int | None = None
    halt: Halt = field(default_factory=Halt)
    steps: list[Step] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)

    @property
    def part(self) -> Path:
        return self.folder / "m.gguf.part"

    def run(self, given: Sequence[Given | Exception], etag: str = "", file: HubFile = FILE) -> None:
        hub = FakeHub(list(given), self.asked)
        means = Means(
            hub=hub,
            reserve=Reserve(self.folder, 50, lambda _: self.free, lambda: 0),
            patience=Patience(attempts=2, first_s=0, longest_s=0),
            halt=self.halt,
            tell=self.steps.append,
            before_bytes=1000,
        )
        Transfer(file, self.part, etag, means).run(self.seen.append)

    def notes(self) -> list[str]:
        return [step.note.code if step.note else "" for step in self.steps]


@pytest.fixture
def trial(tmp_path: Path) -> Trial:
    return Trial(tmp_path)


def test_it_comes_whole(trial: Trial) -> None:
    trial.run([Given([WHOLE[:10], WHOLE[10:]], size_bytes=100)])
    assert trial.part.read_bytes() == WHOLE
    assert trial.seen == ["v1"]
    assert trial.steps[-1].state is DownloadState.VERIFYING
    assert trial.steps[-1].done_bytes == 1100


@pytest.mark.parametrize("kept", [1, 4, 50, 99, 100])
def test_what_is_kept_is_hashed_and_continued(trial: Trial, kept: int) -> None:
    trial.part.write_bytes(WHOLE[:kept])
    trial.run([Given([WHOLE[kept:]], kept, 100)], "v1")
    assert trial.part.read_bytes() == WHOLE
    assert trial.asked == ([kept] if kept < 100 else [])
    assert trial.seen == []


def test_kept_bytes_that_are_wrong_are_fetched_again(trial: Trial) -> None:
    trial.part.write_bytes(b"GGUF" + bytes(46))
    trial.run([Given([WHOLE[50:]], 50), Given([WHOLE])], "v1")
    assert trial.part.read_bytes() == WHOLE
    assert "download.checksum" in trial.notes()


def test_more_than_there_should_be_is_not_used(trial: Trial) -> None:
    trial.part.write_bytes(bytes(101))
    trial.run([Given([WHOLE])])
    assert trial.part.read_bytes() == WHOLE


def test_twice_wrong_is_an_error_and_nothing_is_kept(trial: Trial) -> None:
    bad = WHOLE[:-1] + b"x"
    with pytest.raises(ChecksumMismatch):
        trial.run([Given([bad]), Given([bad])])
    assert trial.part.read_bytes() == b""
    assert trial.asked == [0, 0]


def test_a_server_that_ignores_ranges_loses_nothing(trial: Trial) -> None:
    trial.part.write_bytes(WHOLE[:50])
    trial.run([Given([WHOLE[:30]], error=BROKEN), Given([WHOLE], 0, 100)], "v1")
    assert trial.asked == [50, 50]
    assert trial.part.read_bytes() == WHOLE


@pytest.mark.parametrize(
    "other", [Given([WHOLE[50:]], 50, 100, "v2"), Given([WHOLE], 0, 90), UpstreamChanged(name="m")]
)
def test_another_version_begins_anew_and_says_so(trial: Trial, other: Given | Exception) -> None:
    trial.part.write_bytes(WHOLE[:50])
    trial.run([other, Given([WHOLE], etag="v2")], "v1")
    assert trial.part.read_bytes() == WHOLE
    assert trial.asked == [50, 0]
    assert trial.seen == ["v2"]
    assert trial.notes()[-1] == "download.changed"


def test_a_version_that_never_stays_ends_it(trial: Trial) -> None:
    trial.part.write_bytes(WHOLE[:50])
    changes = [Given([WHOLE[:9]], 0, 100, "v2", BROKEN), Given([WHOLE[9:]], 9, 100, "v3")]
    with pytest.raises(UpstreamChanged):
        trial.run([UpstreamChanged(name="m"), *changes], "v1")


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (Given([b"<!DOCTYPE html>" + bytes(85)]), HubForeign),
        (Given([WHOLE], size_bytes=101), ChecksumMismatch),
        (Given([WHOLE, b"x"]), ChecksumMismatch),
        (Given([WHOLE[9:]], start=9), HubForeign),
        (HubGated(model="a/b", page="p"), HubGated),
    ],
)
def test_what_cannot_be_the_file_ends_it(
    trial: Trial, given: Given | Exception, kind: type[RonyError]
) -> None:
    with pytest.raises(kind):
        trial.run([given])
    assert trial.asked == [0]


def test_a_sign_in_page_never_costs_what_is_kept(trial: Trial) -> None:
    trial.part.write_bytes(WHOLE[:50])
    with pytest.raises(HubForeign):
        trial.run([Given([b"<html>"], size_bytes=6)], "v1")
    assert trial.part.read_bytes() == WHOLE[:50]


def test_attempts_are_counted_in_a_row_and_shown(trial: Trial) -> None:
    with pytest.raises(DownloadStalled):
        trial.run([BROKEN, Given([WHOLE[:9]], error=BROKEN), BROKEN, BROKEN])
    stalled = [step for step in trial.steps if step.state is DownloadState.STALLED]
    assert [(step.attempt, step.attempts) for step in stalled] == [(1, 2), (1, 2), (2, 2)]
    assert {step.note.code for step in stalled if step.note} == {"hub.unreachable"}
    assert trial.part.read_bytes() == WHOLE[:9]


def test_a_wait_the_hub_asks_for_is_kept_and_can_be_ended(trial: Trial) -> None:
    class Ended(Halt):
        def wait(self, seconds: float) -> None:
            assert seconds == 17
            raise Halted

    trial.halt = Ended()
    with pytest.raises(Halted):
        trial.run([HubBusy(host="hub", seconds=17)])


def test_stopping_keeps_what_came(trial: Trial) -> None:
    trial.halt.stop()
    trial.part.write_bytes(WHOLE[:50])
    with pytest.raises(Halted):
        trial.run([], "v1")
    assert trial.part.read_bytes() == WHOLE[:50]


def test_the_reserve_of_the_disk_ends_it(trial: Trial) -> None:
    trial.free = 49
    with pytest.raises(DownloadFull):
        trial.run([Given([WHOLE])])
    trial.free = 50
    trial.run([Given([WHOLE])])
    assert trial.steps[-1].disk_left_bytes == 50


def test_a_folder_that_cannot_be_written_is_named(trial: Trial) -> None:
    trial.part.mkdir()
    with pytest.raises(DownloadUnwritable):
        trial.run([Given([WHOLE])])


def test_a_file_without_a_known_hash_is_taken_by_its_size(trial: Trial) -> None:
    trial.run([Given([WHOLE])], file=HubFile("a/b", "m.gguf", 100, ""))
    assert trial.part.read_bytes() == WHOLE


def test_waits_double_up_to_the_longest() -> None:
    assert [Patience().wait_s(attempt) for attempt in (1, 2, 3, 7, 10)] == [1, 2, 4, 60, 60]


def test_a_limit_of_the_system_is_an_error_of_ours(tmp_path: Path) -> None:
    """RLIMIT_FSIZE in a child: a write is refused in the middle, as on a disk that is full."""
    code = f"""
import resource, sys
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parents[3])!r})
from tests.unit.model.test_transfer import Given, Trial, WHOLE
from rony_desktop.contract.error import DownloadUnwritable
resource.setrlimit(resource.RLIMIT_FSIZE, (60, 60))
trial = Trial(Path({str(tmp_path)!r}))
try:
    trial.run([Given([WHOLE])])
except DownloadUnwritable as error:
    print(trial.part.stat().st_size, error.params["detail"])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "60 File too large\n"
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 60
