from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from rony_desktop.contract.download import DownloadState, Step
from rony_desktop.contract.error import (
    ChecksumMismatch,
    DownloadBusy,
    DownloadFull,
    DownloadHeld,
    DownloadUnwritable,
    HubUnreachable,
    RonyError,
)
from rony_desktop.contract.halt import Halt
from rony_desktop.contract.hub import HubFile, Quant
from rony_desktop.model.download import DownloadJob
from rony_desktop.model.part import Page, page_of, part_of, read_page, write_page
from rony_desktop.model.reserve import Reserve
from rony_desktop.model.transfer import Means, Patience
from tests.fake.hub import FakeHub, Given
from tests.fixture.gguf import LLAMA, Tensor, gguf

WHOLE = gguf(LLAMA, [Tensor([320], 24, 320)])
OTHER = gguf({**LLAMA, "general.name": "Newer"}, [Tensor([320], 24, 320)])

UNREACHABLE = HubUnreachable(host="hub", detail="closed")


def file_of(content: bytes, name: str = "m.gguf", revision: str = "c0") -> HubFile:
    return HubFile("a/b", name, len(content), hashlib.sha256(content).hexdigest(), revision)


class Bench:
    """Jobs below one folder, and what they said."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.steps: list[Step] = []
        self.locked = 0

    def lock(self, target: Path) -> Callable[[], None]:
        self.locked += 1

        def release() -> None:
            self.locked -= 1

        return release

    def job(self, *files: HubFile) -> DownloadJob:
        return DownloadJob(Quant("Q8_0", files), self.folder, self.lock)

    def run(self, job: DownloadJob, *given: Given | Exception, free: int | None = None) -> FakeHub:
        hub = FakeHub(list(given))
        job.run(
            Means(
                hub=hub,
                reserve=Reserve(self.folder, 0, lambda _: free, lambda: 0),
                patience=Patience(attempts=0),
                halt=Halt(),
                tell=self.steps.append,
            )
        )
        assert hub.given == []
        return hub


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_the_model_is_there_and_nothing_else(bench: Bench) -> None:
    job = bench.job(file_of(WHOLE))
    bench.run(job, Given([WHOLE]))
    assert job.target == bench.folder / "a" / "b" / "m.gguf"
    assert job.target.read_bytes() == WHOLE
    assert list(job.target.parent.iterdir()) == [job.target]
    assert bench.locked == 0


def test_what_broke_off_goes_on_in_another_run(bench: Bench) -> None:
    job = bench.job(file_of(WHOLE))
    with pytest.raises(RonyError):
        bench.run(job, Given([WHOLE[:100]], error=UNREACHABLE))
    assert not job.target.exists()
    page = read_page(page_of(job.target))
    assert page is not None
    assert (page.quant, page.etags) == (job.quant, {"m.gguf": "v1"})
    hub = bench.run(bench.job(file_of(WHOLE)), Given([WHOLE[100:]], 100))
    assert hub.asked == [100]
    assert job.target.read_bytes() == WHOLE


def test_of_another_revision_nothing_is_used(bench: Bench) -> None:
    old = bench.job(file_of(OTHER))
    with pytest.raises(RonyError):
        bench.run(old, Given([OTHER[:100]], error=UNREACHABLE))
    new = bench.job(file_of(WHOLE, revision="c1"))
    hub = bench.run(new, Given([WHOLE]))
    assert hub.asked == [0]
    assert {step.note.code for step in bench.steps[-2:] if step.note} == {"download.changed"}


def test_a_file_that_is_there_is_not_fetched(bench: Bench) -> None:
    job = bench.job(file_of(WHOLE))
    job.target.parent.mkdir(parents=True)
    job.target.write_bytes(WHOLE)
    assert bench.run(job).asked == []
    assert {step.state for step in bench.steps} == {DownloadState.VERIFYING}


def test_a_newer_file_takes_the_place_of_an_older_one_at_the_end(bench: Bench) -> None:
    job = bench.job(file_of(WHOLE))
    job.target.parent.mkdir(parents=True)
    job.target.write_bytes(OTHER)
    with pytest.raises(RonyError):
        bench.run(job, Given([WHOLE[:100]], error=UNREACHABLE))
    assert job.target.read_bytes() == OTHER
    bench.run(job, Given([WHOLE[100:]], 100))
    assert job.target.read_bytes() == WHOLE


def test_a_set_is_there_when_all_of_it_is(bench: Bench) -> None:
    files = [file_of(WHOLE, f"m-{n:05}-of-00002.gguf") for n in (1, 2)]
    job = bench.job(*files)
    first, second = (bench.folder / "a" / "b" / file.name for file in files)
    with pytest.raises(RonyError):
        bench.run(job, Given([WHOLE]), UNREACHABLE)
    assert not first.exists()
    assert part_of(first).exists()
    hub = bench.run(bench.job(*files), Given([WHOLE]))
    assert hub.asked == [0]
    assert sorted(job.target.parent.iterdir()) == [first, second]
    assert max(step.done_bytes for step in bench.steps) == 2 * len(WHOLE)


def test_a_kill_between_two_renames_is_made_good(bench: Bench) -> None:
    files = [file_of(WHOLE, f"m-{n:05}-of-00002.gguf") for n in (1, 2)]
    job = bench.job(*files)
    first, second = (bench.folder / "a" / "b" / file.name for file in files)
    write_page(page_of(first), Page(job.quant, whole=[file.name for file in files]))
    part_of(first).write_bytes(WHOLE)
    second.write_bytes(WHOLE)
    assert bench.run(job).asked == []
    assert sorted(first.parent.iterdir()) == [first, second]


def test_a_right_hash_of_what_is_no_model_is_refused(bench: Bench) -> None:
    content = b"GGUF" + bytes(100)
    job = bench.job(file_of(content))
    with pytest.raises(ChecksumMismatch):
        bench.run(job, Given([content]))
    assert not job.target.exists()
    assert not part_of(job.target).exists()


def test_room_is_asked_for_before_anything_is(bench: Bench) -> None:
    with pytest.raises(DownloadFull):
        bench.run(bench.job(file_of(WHOLE)), free=len(WHOLE))
    bench.run(bench.job(file_of(WHOLE)), Given([WHOLE]), free=2 * len(WHOLE))


def test_who_has_no_lock_touches_nothing(bench: Bench) -> None:
    def busy(target: Path) -> Callable[[], None]:
        raise DownloadBusy(name=target.name)

    job = DownloadJob(Quant("", (file_of(WHOLE),)), bench.folder, busy)
    for work in (lambda: bench.run(job), job.discard):
        with pytest.raises(DownloadBusy):
            work()
    assert list(bench.folder.iterdir()) == []


def test_discarding_leaves_the_model(bench: Bench) -> None:
    job = bench.job(file_of(WHOLE))
    bench.run(job, Given([WHOLE]))
    part_of(job.target).write_bytes(b"x")
    job.discard()
    assert list(job.target.parent.iterdir()) == [job.target]


def test_a_name_as_long_as_systems_take_comes_and_a_longer_one_is_said(bench: Bench) -> None:
    """255 bytes, of which the page that lies beside the model needs 14 more than it."""
    fits, longer = ("ф" * letters + ".gguf" for letters in (118, 119))
    job = bench.job(file_of(WHOLE, fits))
    bench.run(job, Given([WHOLE]))
    assert job.target.read_bytes() == WHOLE
    with pytest.raises(DownloadUnwritable, match="name too long"):
        bench.run(bench.job(file_of(WHOLE, longer)))
    assert bench.locked == 0


def test_a_read_only_folder_is_said_before_anything_is_asked(tmp_path: Path) -> None:
    folder = Path("/sys/kernel") if os.geteuid() == 0 else tmp_path / "ours"
    if folder.parent == tmp_path:
        folder.mkdir(mode=0o500)
    bench = Bench(folder)
    with pytest.raises(DownloadUnwritable, match=str(folder)):
        bench.run(bench.job(file_of(WHOLE)))
    assert bench.locked == 0


def test_a_model_that_the_system_holds_is_replaced_later_and_fetched_once(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Windows does with a file that an engine has mapped."""
    bench.run(bench.job(file_of(WHOLE)), Given([WHOLE]))
    replace = Path.replace

    def refuse(self: Path, target: Path) -> Path:
        if target.suffix == ".gguf":
            raise PermissionError(13, "Access is denied")
        return replace(self, target)

    job = bench.job(file_of(OTHER, revision="c1"))
    with monkeypatch.context() as held:
        held.setattr(Path, "replace", refuse)
        with pytest.raises(DownloadHeld, match="is here, but cannot take"):
            bench.run(job, Given([OTHER]))
    assert (job.target.read_bytes(), bench.locked) == (WHOLE, 0)
    assert part_of(job.target).read_bytes() == OTHER
    bench.run(bench.job(file_of(OTHER, revision="c1")))
    assert job.target.read_bytes() == OTHER
