"""A model of another program becomes ours by a link, and its store stays as it was."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from rony_desktop.contract.adopt import Found, Program
from rony_desktop.contract.error import ModelForeign, ModelNotLinked
from rony_desktop.model.adopt import adopt, readable_name
from rony_desktop.model.gguf import GgufMetadataReader
from tests.fixture import store
from tests.fixture.gguf import LLAMA, Typed, gguf

READER = GgufMetadataReader()


def of(path: Path, name: str = "llama3.2:1b", program: Program = Program.OLLAMA) -> Found:
    return Found(program, name, path, path.stat().st_size)


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    return tmp_path / "our models"


@pytest.mark.parametrize(
    ("name", "readable"),
    [
        ("llama3.2:1b", "llama3.2-1b"),
        ("someone/tuned:latest", "tuned-latest"),
        ("p/r/модель-Q4", "модель-Q4"),
        ('a<b>|"c', "a-b-c"),
        ("..", "model"),
        ("x/", "model"),
    ],
)
def test_names_are_readable_and_fit_every_system(tmp_path: Path, name: str, readable: str) -> None:
    path = store.put(tmp_path / "x", b"")
    assert readable_name(of(path, name)) == readable


def test_a_name_is_no_longer_than_systems_take(tmp_path: Path) -> None:
    path = store.put(tmp_path / "x", b"")
    assert len(readable_name(of(path, "я" * 500)).encode()) <= 200


def test_a_hard_link_and_nothing_else(tmp_path: Path, ours: Path) -> None:
    blob = store.ollama(tmp_path / "theirs", "llama3.2", "1b", store.model("a"))
    before = store.contents(tmp_path / "theirs")
    target = adopt(of(blob), ours, READER)
    assert target == ours / "llama3.2-1b.gguf"
    assert target.samefile(blob)
    assert not target.is_symlink()
    assert store.contents(tmp_path / "theirs") == before
    assert adopt(of(blob), ours, READER) == target
    assert len(list(ours.iterdir())) == 1
    blob.unlink()
    assert READER.read(target).name == "a"


def test_another_disk_gets_a_symbolic_link(
    tmp_path: Path, ours: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = store.hub(tmp_path / "hub", "o/m", {"m.gguf": store.model("a")})

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(os, "link", refuse)
    target = adopt(of(snapshot / "m.gguf", "o/m/m"), ours, READER)
    assert target.is_symlink()
    # Straight to the blob: the snapshot goes with the next revision.
    assert target.readlink() == (snapshot / "m.gguf").resolve()
    assert adopt(of(snapshot / "m.gguf", "o/m/m"), ours, READER) == target


def test_a_set_is_linked_whole_or_not_at_all(
    tmp_path: Path, ours: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "lm"
    split = {"split.count": Typed(2, 2), "split.no": Typed(2, 0)}
    first = store.put(folder / "a-00001-of-00002.gguf", gguf({**LLAMA, **split}))
    second = {"split.count": Typed(2, 2), "split.no": Typed(2, 1)}
    store.put(folder / "a-00002-of-00002.gguf", gguf(second))
    found = of(first, "p/r/a", Program.LM_STUDIO)
    real, calls = os.link, 0

    def once(*arguments: object, **options: object) -> None:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(*arguments, **options)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(os, "link", once)
        with pytest.raises(ModelNotLinked, match="No space"):
            adopt(found, ours, READER)
    assert list(ours.iterdir()) == []
    target = adopt(found, ours, READER)
    assert [path.name for path in sorted(ours.iterdir())] == [
        "a-00001-of-00002.gguf",
        "a-00002-of-00002.gguf",
    ]
    assert len(READER.read(target).parts) == 1


def test_a_name_that_is_taken_gets_a_number(tmp_path: Path, ours: Path) -> None:
    store.put(ours / "llama3.2-1b.gguf", store.model("mine"))
    target = adopt(of(store.put(tmp_path / "blob", store.model("a"))), ours, READER)
    assert target.name == "llama3.2-1b-2.gguf"


def test_what_is_no_model_is_refused(tmp_path: Path, ours: Path) -> None:
    page = store.put(tmp_path / "page", b"<html></html>")
    with pytest.raises(ModelForeign):
        adopt(of(page), ours, READER)
    eye = store.put(tmp_path / "eye", gguf({**LLAMA, "general.architecture": "clip"}))
    with pytest.raises(ModelNotLinked):
        adopt(of(eye), ours, READER)
    assert not ours.exists()


def test_a_folder_that_cannot_be_is_said(tmp_path: Path) -> None:
    blob = store.put(tmp_path / "blob", store.model("a"))
    with pytest.raises(ModelNotLinked):
        adopt(of(blob), blob / "below", READER)
