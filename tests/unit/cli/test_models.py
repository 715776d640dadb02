"""`models` finds, lists, imports and deletes; its failures are sentences."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rony_desktop.cli import models as command
from rony_desktop.cli.main import main, parsed
from rony_desktop.contract.hub import HubFile, Quant
from rony_desktop.model.listing import quant_name
from rony_desktop.model.part import Page, page_of, part_of, write_page
from rony_desktop.store.place import Place
from tests.fixture import store
from tests.fixture.hub_server import HubServer, hub_server

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program's own folder of models."""
    monkeypatch.chdir(tmp_path)
    return Place.of().models_dir


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    for name in ("maker/tiny-GGUF", "maker/gated-GGUF"):
        store.put(tmp_path / "hub" / name / "m-Q4_K_M.gguf", store.model(name))
    with hub_server(tmp_path / "hub") as running:
        monkeypatch.setenv("HF_ENDPOINT", running.url)
        yield running


def said(capsys: Captured) -> dict[str, Any]:
    (line,) = capsys.readouterr().out.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def test_search(server: HubServer, capsys: Captured) -> None:
    assert main(["models", "search", "maker", "--json"]) == 0
    first, second = said(capsys)["models"]
    assert (first["id"], first["gated"], second["id"]) == (
        "maker/gated-GGUF",
        True,
        "maker/tiny-GGUF",
    )
    assert second["licence"] == "apache-2.0"
    assert main(["models", "search", "tiny"]) == 0
    assert capsys.readouterr().out == "maker/tiny-GGUF  apache-2.0, 999x\n"
    assert main(["models", "search", "gated"]) == 0
    assert "its licence must be accepted first" in capsys.readouterr().out
    assert main(["models", "search", "no", "such"]) == 0
    assert capsys.readouterr().out == "The hub has no GGUF model of that name.\n"


def begin(folder: Path) -> Path:
    """A download of which a quarter is here; returns where its model would be."""
    quant = Quant("Q8_0", (HubFile("maker/new", "new-Q8_0.gguf", 400, "0" * 64),))
    target = folder / "maker" / "new" / "new-Q8_0.gguf"
    store.put(part_of(target), bytes(100))
    write_page(page_of(target), Page(quant))
    return target


def test_list(
    folder: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["models", "list"]) == 0
    assert capsys.readouterr().out == "No model is here yet: rony-desktop models suggest\n"
    monkeypatch.setenv("RONY_LLAMA__MODELS_DIRS", json.dumps([str(tmp_path / "unplugged")]))
    own = store.put(folder / "моя модель-Q5_0.gguf", store.model("a"))
    target = begin(folder)
    assert main(["models", "list"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"моя модель-Q5_0  Q5_0  0 MB  {folder}",
        "unfinished  maker/new:Q8_0  25% is here",
        f"folder  {tmp_path / 'unplugged'}  not there now",
    ]
    assert main(["models", "list", "--json"]) == 0
    found = said(capsys)
    assert found["models"] == [
        {
            "id": own.stem,
            "path": str(own),
            "quant": quant_name(own.name),
            "size_bytes": own.stat().st_size,
            "folder": str(folder),
        }
    ]
    assert [root["state"] for root in found["folders"]] == ["ready", "ready", "missing"]
    assert found["unfinished"] == [
        {
            "model": "maker/new",
            "quant": "Q8_0",
            "target": str(target),
            "done_bytes": 100,
            "size_bytes": 400,
        }
    ]


def test_import_of_a_file(folder: Path, tmp_path: Path, capsys: Captured) -> None:
    there = store.put(tmp_path / "x.gguf", store.model("x"))
    assert main(["models", "import", str(there), "--json"]) == 0
    assert said(capsys)["imported"] == [{"id": "x", "path": str(folder / "x.gguf")}]
    assert (folder / "x.gguf").samefile(there)
    assert main(["models", "import", str(there)]) == 0
    assert capsys.readouterr().out == f"x can be used: {folder / 'x.gguf'}\n"
    assert main(["models", "import"]) == 2
    assert "--found" in capsys.readouterr().err
    assert main(["models", "import", str(tmp_path / "none.gguf")]) == 1
    assert "none.gguf" in capsys.readouterr().err


def test_import_from_another_program(folder: Path, own_home: Path, capsys: Captured) -> None:
    assert main(["models", "import", "--found"]) == 0
    assert "No other program" in capsys.readouterr().out
    blob = store.ollama(own_home / ".ollama" / "models", "m", "1b", store.model("a"))
    assert main(["models", "import", "--found"]) == 0
    assert capsys.readouterr().out == "m:1b  0 MB, Ollama\n"
    assert main(["models", "import", "--found", "--json"]) == 0
    (found,) = said(capsys)["found"]
    assert (found["name"], found["program"], found["path"]) == ("m:1b", "Ollama", str(blob))
    assert main(["models", "import", "--found", "other"]) == 1
    assert "Known models: m:1b." in capsys.readouterr().err
    assert main(["models", "import", "--found", "m:1b"]) == 0
    assert (folder / "m-1b.gguf").samefile(blob)


class Terminal(io.StringIO):
    """A standard input somebody types at."""

    def isatty(self) -> bool:
        return True


def test_remove_asks_first(folder: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    own = store.put(folder / "maker" / "a.gguf", store.model("a"))
    size = own.stat().st_size
    assert main(["models", "remove", "a"]) == 1
    text = capsys.readouterr()
    assert "This frees 0 MB." in text.err
    assert str(own) in text.err
    assert "nothing was deleted; --yes deletes it." in text.err
    monkeypatch.setattr("sys.stdin", Terminal())
    for typed, code in (("n", 1), (None, 1), ("y", 0)):

        async def read_line(prompt: str, typed: str | None = typed) -> str | None:
            return typed

        monkeypatch.setattr(command, "read_line", read_line)
        assert own.exists()
        assert main(["models", "remove", "a", "--json"]) == code
    assert said(capsys) == {"removed": "a", "files": [str(own)], "freed_bytes": size}
    assert list(folder.iterdir()) == []


def test_remove_of_a_link_and_of_a_download(folder: Path, tmp_path: Path, capsys: Captured) -> None:
    there = store.put(tmp_path / "x.gguf", store.model("x"))
    main(["models", "import", str(there)])
    capsys.readouterr()
    assert main(["models", "remove", "x", "--yes"]) == 0
    text = "x is deleted. This freed 0 MB; the rest of it stays, under another name.\n"
    assert capsys.readouterr().out == text
    assert there.exists()
    begin(folder)
    assert main(["models", "remove", "maker/new", "--yes"]) == 0
    assert "new-Q8_0.gguf is deleted." in capsys.readouterr().out
    assert list(folder.iterdir()) == []
    assert main(["models", "remove", "x", "--yes"]) == 1
    assert capsys.readouterr().err.startswith("rony-desktop: There is no model named 'x'.")


def test_suggestions_ask_nobody_and_need_an_engine(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RONY_LLAMA__BINARY_PATH", "/none/llama-server")
    assert main(["models", "suggest"]) == 0
    assert capsys.readouterr().out == "No model of the list fits this computer.\n"
    assert main(["models", "suggest", "--json"]) == 0
    assert said(capsys) == {"small": None, "balanced": None, "large": None}


@pytest.mark.parametrize(
    "words", [[], ["search"], ["pull"], ["remove"], ["search", "x", "--limit", "0"]]
)
def test_what_is_missing_is_asked_for(words: list[str], capsys: Captured) -> None:
    with pytest.raises(SystemExit) as ended:
        parsed(["models", *words])
    assert ended.value.code == 2
