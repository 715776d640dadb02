"""Manifests of Ollama that cannot be used are passed over, one by one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rony_desktop.model.ollama import find_ollama
from tests.fixture import store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    store.ollama(tmp_path, "good", "latest", store.model("good"))
    return tmp_path


def names(folder: Path) -> list[str]:
    return [found.name for found in find_ollama(folder)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{not json",
        "[1]",
        '{"layers": 5}',
        '{"layers": [{"digest": "x"}]}',
        json.dumps({"layers": [{"mediaType": store.MODEL_LAYER, "digest": "sha256:../../x"}]}),
        json.dumps({"layers": [{"mediaType": store.MODEL_LAYER, "digest": "sha256:" + "0" * 64}]}),
        "[" * 100_000,
    ],
)
def test_a_damaged_manifest_costs_only_itself(folder: Path, text: str) -> None:
    store.put(folder / "manifests/host/library/bad/latest", text.encode())
    assert names(folder) == ["good:latest"]


def test_a_blob_that_is_not_whole_is_none(folder: Path) -> None:
    blob = store.ollama(folder, "half", "x", store.model("half"))
    blob.write_bytes(blob.read_bytes()[:-1])
    assert names(folder) == ["good:latest"]


def test_a_model_in_several_layers_is_none_of_ours(folder: Path) -> None:
    layer = {"mediaType": store.MODEL_LAYER, "digest": "sha256:" + "0" * 64, "size": 1}
    store.put(
        folder / "manifests/host/library/two/x", json.dumps({"layers": [layer, layer]}).encode()
    )
    store.put(folder / "manifests/host/library/large/x", b" " * 2_000_000)
    assert names(folder) == ["good:latest"]
