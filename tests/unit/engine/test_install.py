"""A build comes whole into a folder of its own, and nothing else is left or touched."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from rony_desktop.contract.build import Archive, Release, Variant
from rony_desktop.contract.error import InstallChecksum, InstallError, InstallUnsafe
from rony_desktop.contract.halt import Halt, Halted
from rony_desktop.engine.build import installed
from rony_desktop.engine.install import commit, discard, stage, sweep
from tests.fake.release import FakeAnswer, FakeWeb
from tests.fixture.archive import program, scripted, tar


def quiet(done: int, total: int) -> None:
    pass


def offered(*files: Path, size: bool = True) -> tuple[Release, FakeWeb]:
    """A release of these archives, and the web they are in."""
    web, archives = FakeWeb(), []
    for file in files:
        data = file.read_bytes()
        web.answers[f"https://h/{file.name}"] = FakeAnswer(data, block_bytes=1 << 16)
        sha256 = hashlib.sha256(data).hexdigest()
        url = f"https://h/{file.name}"
        archives.append(Archive(file.name, url, sha256, len(data) if size else 0))
    return Release(10434, Variant.CPU, tuple(archives), pinned=True), web


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "движки и пробел"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return scripted(tmp_path / "site", 10434)


def test_staged_tried_committed(folder: Path, archive: Path) -> None:
    release, web = offered(archive)
    told: list[tuple[int, int]] = []
    staged = stage(release, folder, web, Halt(), lambda *numbers: told.append(numbers))
    assert told[-1] == (archive.stat().st_size, archive.stat().st_size)
    assert staged.program.read_bytes() == program("serve")
    assert os.access(staged.program, os.X_OK)
    assert installed(folder) == ()
    build = commit(staged, folder)
    assert build.program == folder / "b10434-cpu/part/0/llama-b10434/llama-server"
    assert build.program.is_file()
    assert (build.program.parent / "libx.so").read_bytes() == b"library"
    assert installed(folder) == (build,)
    assert [path.name for path in folder.iterdir()] == ["b10434-cpu"]
    discard(staged, folder)
    assert installed(folder) == (build,)


def test_what_is_discarded_is_gone(folder: Path, archive: Path) -> None:
    release, web = offered(archive)
    discard(stage(release, folder, web, Halt(), quiet), folder)
    assert list(folder.iterdir()) == []


def test_libraries_of_a_second_archive_stand_beside_the_program(
    tmp_path: Path, folder: Path, archive: Path
) -> None:
    extra = {"cudart64_12.dll": b"cuda", "deep/cublas.dll": b"blas", "LICENSE": b"another"}
    release, web = offered(archive, tar(tmp_path / "cudart.zip", extra), size=False)
    told: list[tuple[int, int]] = []
    staged = stage(release, folder, web, Halt(), lambda *numbers: told.append(numbers))
    beside = staged.program.parent
    assert (beside / "cudart64_12.dll").read_bytes() == b"cuda"
    assert (beside / "cublas.dll").read_bytes() == b"blas"
    assert (beside / "LICENSE").read_bytes() == b"MIT"
    total = archive.stat().st_size + (tmp_path / "cudart.zip").stat().st_size
    assert told[-1] == (total, 0)


def test_a_folder_without_a_page_is_replaced(folder: Path, archive: Path) -> None:
    (folder / "b10434-cpu").mkdir(parents=True)
    (folder / "b10434-cpu" / "half").touch()
    release, web = offered(archive)
    build = commit(stage(release, folder, web, Halt(), quiet), folder)
    assert installed(folder) == (build,)
    assert not (folder / "b10434-cpu" / "half").exists()


def test_of_what_fails_nothing_is_left(tmp_path: Path, folder: Path, archive: Path) -> None:
    release, web = offered(archive)
    halt = Halt()
    halt.stop()
    with pytest.raises(Halted):
        stage(release, folder, web, halt, quiet)
    web.answers[release.archives[0].url].body = b"something else"
    with pytest.raises(InstallChecksum):
        stage(release, folder, web, Halt(), quiet)
    evil, evil_web = offered(tar(tmp_path / "evil", {"../../llama-server": b""}))
    with pytest.raises(InstallUnsafe):
        stage(evil, folder, evil_web, Halt(), quiet)
    empty, empty_web = offered(tar(tmp_path / "empty", {"README": b""}))
    with pytest.raises(InstallUnsafe, match="no llama-server"):
        stage(empty, folder, empty_web, Halt(), quiet)
    assert list(folder.iterdir()) == []


def test_a_folder_that_cannot_be_made(tmp_path: Path, archive: Path) -> None:
    release, web = offered(archive)
    (tmp_path / "file").touch()
    with pytest.raises(InstallError, match="b10434-cpu"):
        stage(release, tmp_path / "file" / "engines", web, Halt(), quiet)
    assert web.asked == []


def test_what_a_kill_left_is_swept(folder: Path, archive: Path) -> None:
    release, web = offered(archive)
    build = commit(stage(release, folder, web, Halt(), quiet), folder)
    stage(release, folder, web, Halt(), quiet)
    sweep(folder)
    assert installed(folder) == (build,)
    assert [path.name for path in folder.iterdir()] == ["b10434-cpu"]
    sweep(folder / "gone")


def test_a_rename_that_is_refused(
    folder: Path, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release, web = offered(archive)
    staged = stage(release, folder, web, Halt(), quiet)

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", refuse)
        with pytest.raises(InstallError, match="No space"):
            commit(staged, folder)
    discard(staged, folder)
    assert list(folder.iterdir()) == []
