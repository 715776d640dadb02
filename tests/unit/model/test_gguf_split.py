"""Models in several files."""

from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.contract.error import ModelCut, ModelMissing
from rony_desktop.model.gguf import GgufMetadataReader
from tests.fixture.gguf import LLAMA, Tensor, Typed, gguf

F32 = 0


def split(folder: Path, count: int = 3, **changed: int) -> list[Path]:
    """Write a model in several files, its tensors in the later ones."""
    paths = [folder / f"m-{number:05}-of-{count:05}.gguf" for number in range(1, count + 1)]
    for number, path in enumerate(paths):
        keys = {"split.no": Typed(2, number), "split.count": Typed(2, count)}
        keys = {**(LLAMA if number == 0 else {}), **keys}
        if path.stem in changed:
            keys["split.no"] = Typed(2, changed[path.stem])
        path.write_bytes(gguf(keys, (Tensor((64, 4), F32, 1024, f"t{number}"),)))
    return paths


def test_a_model_in_several_files_is_read_as_one(tmp_path: Path) -> None:
    paths = split(tmp_path)
    found = GgufMetadataReader().read(paths[0])
    assert [tensor.name for tensor in found.tensors] == ["t0", "t1", "t2"]
    assert found.size_bytes == sum(path.stat().st_size for path in paths)
    assert (found.path, found.parts) == (paths[0], tuple(paths[1:]))


def test_a_missing_part_is_named(tmp_path: Path) -> None:
    paths = split(tmp_path)
    paths[1].unlink()
    with pytest.raises(ModelMissing) as caught:
        GgufMetadataReader().read(paths[0])
    assert caught.value.params["path"] == str(paths[1])
    assert "part 2 of 3" in caught.value.params["detail"]


def test_a_part_of_another_place_is_refused(tmp_path: Path) -> None:
    paths = split(tmp_path, **{"m-00003-of-00003": 1})
    with pytest.raises(ModelCut) as caught:
        GgufMetadataReader().read(paths[0])
    assert caught.value.params["path"] == str(paths[2])


@pytest.mark.parametrize("name", ["renamed.gguf", "m-00001-of-00004.gguf"])
def test_a_first_part_under_another_name_says_how_it_must_be_named(
    tmp_path: Path, name: str
) -> None:
    path = split(tmp_path)[0].rename(tmp_path / name)
    with pytest.raises(ModelCut) as caught:
        GgufMetadataReader().read(path)
    assert "-00001-of-00003.gguf" in caught.value.params["detail"]
