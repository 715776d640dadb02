"""Which model a name means."""

from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.app.model import Models
from rony_desktop.contract.config import Config
from rony_desktop.contract.error import ModelMissing, ModelUnknown, NoModel
from rony_desktop.contract.root import RootState
from tests.fixture.gguf import gguf


def models(folder: Path, **values: object) -> Models:
    return Models(Config.model_validate(values), [folder, folder / "absent"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("b.gguf", "deep/A.gguf", "note.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"GGUF")
    return tmp_path


def test_every_depth_is_listed_by_name(folder: Path) -> None:
    assert [m.id for m in models(folder).list()] == ["A", "b"]


@pytest.mark.parametrize("name", ["b", "b.gguf", "llamacpp:b"])
def test_an_id_names_a_model(folder: Path, name: str) -> None:
    assert models(folder).resolve(name).path == folder / "b.gguf"


def test_a_path_names_a_model(folder: Path) -> None:
    assert models(folder).resolve(str(folder / "deep/A.gguf")).id == "A"


def test_a_provider_may_stand_before_the_model(folder: Path) -> None:
    found = models(folder).resolve("scripted:rules.json")
    assert (found.provider, found.id) == ("scripted", "rules.json")


def test_unknown_names_say_what_there_is(folder: Path) -> None:
    with pytest.raises(ModelUnknown, match="A, b"):
        models(folder).resolve("nothing")
    with pytest.raises(ModelMissing):
        models(folder).resolve("some/file.gguf")


@pytest.mark.parametrize("name", ["~nobody-of-that-name/m.gguf", "m" * 5000])
def test_a_name_that_can_be_no_path_is_a_missing_model(folder: Path, name: str) -> None:
    with pytest.raises(ModelMissing):
        models(folder).resolve(name)


def test_the_choice_is_flag_then_config_then_the_first_there_is(folder: Path) -> None:
    assert models(folder, model="b").chosen("A").id == "A"
    assert models(folder, model="b").chosen().id == "b"
    main = {"models": {"main": {"path": str(folder / "b.gguf")}}}
    assert models(folder, llama=main).chosen().id == "b"
    assert models(folder).chosen().id == "A"


def test_no_model_at_all_is_said(tmp_path: Path) -> None:
    with pytest.raises(NoModel):
        models(tmp_path).chosen()


def test_a_file_that_cannot_chat_is_passed_over_where_nobody_chose(folder: Path) -> None:
    def can_chat(path: Path) -> bool:
        return path.stem == "b"

    assert Models(Config(), [folder], can_chat).chosen().id == "b"
    assert Models(Config(), [folder], can_chat).chosen("A").id == "A"
    assert Models(Config(), [folder], lambda _: False).chosen().id == "A"


def test_the_users_folders_come_after_the_programs_own(folder: Path, tmp_path: Path) -> None:
    for name in ("b.gguf", "c.gguf"):
        path = tmp_path / "drive" / "мои модели" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"GGUF" * 2)
    dirs = {"models_dirs": [str(tmp_path / "drive"), str(tmp_path / "unplugged")]}
    found = Models(Config.model_validate({"llama": dirs}), [folder / "deep", folder / "own"])
    assert [(m.id, m.size_bytes) for m in found.list()] == [("A", 4), ("b", 8), ("c", 8)]
    states = [(scan.root.folder.name, scan.root.state) for scan in found.scan()]
    assert states == [
        ("deep", RootState.READY),
        ("own", RootState.MISSING),
        ("drive", RootState.READY),
        ("unplugged", RootState.MISSING),
    ]


def test_a_set_is_listed_once_and_a_projector_never(tmp_path: Path) -> None:
    for name in ("m-00001-of-00002.gguf", "m-00002-of-00002.gguf", "mmproj-m.gguf"):
        (tmp_path / name).write_bytes(b"GGUF")
    (model,) = models(tmp_path).list()
    assert (model.id, model.size_bytes) == ("m-00001-of-00002", 8)


def test_two_files_of_one_name_are_two_models_and_one_file_is_one(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for folder in (ours / "a" / "m", ours / "b" / "m", theirs):
        folder.mkdir(parents=True)
    (ours / "a" / "m" / "same.gguf").write_bytes(gguf())
    (ours / "b" / "m" / "same.gguf").write_bytes(gguf())
    (theirs / "same.gguf").hardlink_to(ours / "a" / "m" / "same.gguf")
    models = Models(Config(), [ours, theirs])
    assert [model.id for model in models.list()] == ["b/m/same", "same"]
    first, second = (models.resolve(name).path for name in ("same", "b/m/same"))
    assert first != second
