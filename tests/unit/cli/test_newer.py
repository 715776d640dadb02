"""`models newer` lists what the hub has newer, and `models pull` of that name gets it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rony_desktop.cli.main import main
from rony_desktop.store.place import Place
from tests.fixture import store
from tests.fixture.hub_server import HubServer, hub_server

MODEL, NAME = "maker/tiny-GGUF", "tiny-Q4_K_M.gguf"
OLD, NEW = store.model("old"), store.model("newer")
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    store.put(tmp_path / "hub" / MODEL / NAME, OLD)
    store.put(tmp_path / "hub" / "maker" / "gone" / "gone-Q8_0.gguf", OLD)
    return tmp_path / "hub"


@pytest.fixture(autouse=True)
def server(shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    monkeypatch.chdir(tmp_path)
    with hub_server(shelf) as running:
        monkeypatch.setenv("HF_ENDPOINT", running.url)
        monkeypatch.setenv("RONY_LLAMA__DISK_RESERVE_MB", "0")
        yield running


@pytest.fixture
def target() -> Path:
    return Place.of().models_dir / MODEL / NAME


def said(capsys: Captured) -> Any:
    return json.loads(capsys.readouterr().out)


def test_without_a_download_nobody_is_asked(server: HubServer, capsys: Captured) -> None:
    assert main(["models", "newer"]) == 0
    text = "Nothing was downloaded yet: rony-desktop models search\n"
    assert capsys.readouterr().out == text
    assert server.log() == []


def test_what_is_newer_is_listed_and_pulled(shelf: Path, target: Path, capsys: Captured) -> None:
    assert main(["models", "pull", MODEL]) == 0
    capsys.readouterr()
    assert main(["models", "newer"]) == 0
    assert capsys.readouterr().out == "What you downloaded is the newest there is.\n"
    store.put(shelf / MODEL / NAME, NEW)
    assert main(["models", "newer"]) == 0
    name, _, what = capsys.readouterr().out.partition("  ")
    assert (name, what) == (f"{MODEL}:{NAME}", "changed, 0 MB to download\n")
    assert main(["models", "newer", "--json"]) == 0
    found = said(capsys)
    (newer,) = found["newer"]
    assert (found["asked"], newer["name"], newer["quant"]) == (1, name, "Q4_K_M")
    assert (newer["path"], newer["changed"]) == (str(target), [NAME])
    assert newer["download_bytes"] == len(NEW)
    assert target.read_bytes() == OLD
    assert main(["models", "pull", name]) == 0
    assert target.read_bytes() == NEW
    capsys.readouterr()
    assert main(["models", "newer", "--json"]) == 0
    assert said(capsys) == {"asked": 1, "newer": []}


def test_what_the_hub_withholds_is_named_after_the_rest(shelf: Path, capsys: Captured) -> None:
    for name in ("maker/gone", MODEL):
        assert main(["models", "pull", name]) == 0
    shutil.rmtree(shelf / "maker" / "gone")
    store.put(shelf / MODEL / NAME, NEW)
    capsys.readouterr()
    assert main(["models", "newer", "--json"]) == 1
    text = capsys.readouterr()
    assert len(json.loads(text.out)["newer"]) == 1
    assert text.err.startswith("rony-desktop: The hub does not tell what it has of maker/gone.")


def test_a_hub_that_does_not_answer_is_a_sentence(server: HubServer, capsys: Captured) -> None:
    assert main(["models", "pull", MODEL]) == 0
    capsys.readouterr()
    server.fault("page")
    assert main(["models", "newer"]) == 1
    text = capsys.readouterr()
    assert (text.out, len(text.err.splitlines())) == ("", 1)
