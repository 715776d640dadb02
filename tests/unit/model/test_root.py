"""Models are found at any depth, and no folder can hold the others up."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from rony_desktop.contract.root import RootState
from rony_desktop.model import root as module
from rony_desktop.model.root import Roots, Scan, is_projector, scan
from tests.fixture.gguf import LLAMA, gguf


def put(path: Path, content: bytes = b"GGUF") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def names(found: Scan) -> list[str]:
    return [model.path.name for model in found.models]


def test_every_depth_and_every_script(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["файлы мои", "模型"] * 20, "Ünïcode 模型.GGUF")
    put(deep)
    put(tmp_path / "a.gguf")
    put(tmp_path / "a.gguf.part")
    found = scan(tmp_path)
    assert names(found) == ["a.gguf", "Ünïcode 模型.GGUF"]
    assert (found.root.state, found.root.models, found.root.writable) == (RootState.READY, 2, True)


def test_a_path_no_system_call_takes_is_told(tmp_path: Path) -> None:
    """Deeper than a path may be long; only folder by folder can it be made."""
    put(tmp_path / "a.gguf")
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(20):
        os.mkdir("n" * 250, dir_fd=here)
        below = os.open("n" * 250, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(os.open("deep.gguf", os.O_CREAT, dir_fd=here))
    os.close(here)
    found = scan(tmp_path)
    assert names(found) == ["a.gguf"]
    assert len(found.root.skipped) == 1


@pytest.mark.parametrize("name", ["n" * 300, "x/" * 3000, "nul\0"])
def test_a_folder_no_system_has_is_missing(tmp_path: Path, name: str) -> None:
    assert scan(tmp_path / name).root.state is RootState.MISSING


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    assert scan(put(tmp_path / "a.gguf")).root.state is RootState.MISSING


def test_links_are_followed_once(tmp_path: Path) -> None:
    other = put(tmp_path / "other" / "far.gguf").parent
    own = put(tmp_path / "own" / "near.gguf").parent
    (own / "round").symlink_to(own)
    (own / "deep").mkdir()
    (own / "deep" / "up").symlink_to("..")
    (own / "there").symlink_to(other)
    (own / "again").symlink_to(other)
    (own / "alias.gguf").symlink_to(other / "far.gguf")
    (own / "gone.gguf").symlink_to(tmp_path / "nowhere")
    found = scan(own)
    assert sorted(names(found)) == ["alias.gguf", "far.gguf", "near.gguf"]
    assert found.root.skipped == (own / "gone.gguf",)


@pytest.mark.skipif(os.getuid() == 0, reason="nothing is forbidden to root")
def test_forbidden_folders_are_passed_over_and_told(tmp_path: Path) -> None:
    put(tmp_path / "a.gguf")
    closed = put(tmp_path / "closed" / "b.gguf").parent
    closed.chmod(0)
    try:
        found = scan(tmp_path)
        assert (names(found), found.root.skipped) == (["a.gguf"], (closed,))
        assert scan(closed).root.state is RootState.UNREADABLE
    finally:
        closed.chmod(0o700)


def test_a_forbidden_folder_by_its_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = put(tmp_path / "closed" / "b.gguf").parent
    put(tmp_path / "a.gguf")
    real = os.scandir

    def refuse(folder: Path) -> object:
        if folder == closed:
            raise PermissionError(13, "Permission denied")
        return real(folder)

    monkeypatch.setattr(module.os, "scandir", refuse)
    found = scan(tmp_path)
    assert (names(found), found.root.skipped) == (["a.gguf"], (closed,))
    assert scan(closed).root.state is RootState.UNREADABLE


def test_a_set_is_one_model_with_the_size_of_all(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        put(tmp_path / f"m-0000{number}-of-00003.gguf", b"GGUF" * number)
    (model,) = scan(tmp_path).models
    assert (model.path.name, model.size_bytes) == ("m-00001-of-00003.gguf", 24)
    (tmp_path / "m-00003-of-00003.gguf").unlink()
    assert scan(tmp_path).models[0].size_bytes == 12
    (tmp_path / "m-00001-of-00003.gguf").unlink()
    assert scan(tmp_path).models == ()


def test_projectors_are_no_models(tmp_path: Path) -> None:
    put(tmp_path / "mmproj-m.gguf", gguf())
    clip = put(tmp_path / "eye.gguf", gguf({**LLAMA, "general.architecture": "clip"}))
    clipped = put(tmp_path / "clipped.gguf", gguf({**LLAMA, "general.architecture": "clipped"}))
    assert is_projector(clip)
    assert not is_projector(clipped)
    assert names(scan(tmp_path)) == ["clipped.gguf"]


def test_a_pipe_is_no_model_and_holds_nothing_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.gguf")
    assert scan(tmp_path).models == ()


def test_a_read_only_root_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "a.gguf")
    monkeypatch.setattr(module.os, "access", lambda path, mode: False)
    found = scan(tmp_path)
    assert (names(found), found.root.writable) == (["a.gguf"], False)


def test_more_folders_than_anybody_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FOLDERS_LIMIT", 3)
    for number in range(9):
        put(tmp_path / str(number) / "m.gguf")
    found = scan(tmp_path)
    assert (len(found.models), len(found.root.skipped)) == (2, 7)


def test_a_root_that_hangs_costs_only_its_own_models(tmp_path: Path) -> None:
    good, bad = put(tmp_path / "good" / "a.gguf").parent, tmp_path / "bad"
    bad.mkdir()
    answer, looks = threading.Event(), 0

    def look(folder: Path) -> Scan:
        nonlocal looks
        if folder == bad:
            looks += 1
            answer.wait(30)
        return scan(folder)

    roots = Roots([bad, good], wait_s=0.2, look=look)
    for _ in range(3):
        began = time.monotonic()
        silent, ready = roots.scan()
        assert time.monotonic() - began < 2
        assert (silent.root.folder, silent.root.state) == (bad, RootState.SILENT)
        assert names(ready) == ["a.gguf"]
    assert looks == 1, "one thread waits, however often it is asked"
    answer.set()
    deadline = time.monotonic() + 10
    while roots.scan()[0].root.state is RootState.SILENT:
        assert time.monotonic() < deadline
    assert roots.scan()[0].root.state is RootState.READY


def test_a_folder_named_twice_is_one_root(tmp_path: Path) -> None:
    assert Roots([tmp_path, tmp_path / "x", tmp_path]).folders == (tmp_path, tmp_path / "x")
