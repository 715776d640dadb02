"""What other programs have is found where they keep it."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from rony_desktop.contract.adopt import Found, Program
from rony_desktop.model.shelf import Surroundings, find_models
from tests.fixture import store


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "Дом пользователя"


def around(home: Path, system: str = "linux", **environment: str) -> Surroundings:
    return Surroundings(home, environment, system)


def found(where: Surroundings, program: Program) -> list[Found]:
    return [model for model in find_models(where) if model.program is program]


def test_nothing_is_found_where_nothing_is(home: Path) -> None:
    assert find_models(around(home)) == ()
    assert not home.exists()


def test_ollama(home: Path, tmp_path: Path) -> None:
    content = store.model("a")
    blob = store.ollama(home / ".ollama/models", "llama3.2", "1b", content)
    store.ollama(home / ".ollama/models", "someone/tuned", "latest", store.model("tuned"))
    sha256 = hashlib.sha256(content).hexdigest()
    one, other = found(around(home), Program.OLLAMA)
    assert one == Found(Program.OLLAMA, "llama3.2:1b", blob, len(content), sha256)
    assert other.name == "someone/tuned:latest"
    moved = tmp_path / "elsewhere"
    store.ollama(moved, "b", "x", content)
    (only,) = found(around(home, OLLAMA_MODELS=str(moved)), Program.OLLAMA)
    assert only.name == "b:x"


@pytest.mark.parametrize("home_of_it", [".lmstudio", ".cache/lm-studio", "moved"])
def test_lm_studio(home: Path, home_of_it: str) -> None:
    content = store.model("a")
    path = store.put(home / home_of_it / "models/pub lisher/repo/модель-Q4_K_M.gguf", content)
    store.put(path.with_name("mmproj-модель.gguf"), content)
    if home_of_it == "moved":
        store.put(home / ".lmstudio-home-pointer", f"{home / 'moved'}\n".encode())
    (model,) = found(around(home), Program.LM_STUDIO)
    expected = Found(Program.LM_STUDIO, "pub lisher/repo/модель-Q4_K_M", path, len(content))
    assert model == expected


@pytest.mark.parametrize(
    ("system", "place"),
    [
        ("linux", ".config/Jan/data"),
        ("darwin", "Library/Application Support/Jan/data"),
        ("win32", "AppData/Roaming/Jan/data"),
    ],
)
def test_jan(home: Path, system: str, place: str) -> None:
    content = store.model("a")
    path = store.put(home / place / "llamacpp/models/qwen/m/model.gguf", content)
    sha256 = hashlib.sha256(content).hexdigest()
    store.jan(home / place, "qwen/m", "llamacpp/models/qwen/m/model.gguf", sha256)
    linked = store.put(home / "my files" / "own.gguf", store.model("own"))
    store.jan(home / place, "own", str(linked))
    store.jan(home / place, "gone", "llamacpp/models/gone/model.gguf")
    found_here = {model.name: model for model in found(around(home, system), Program.JAN)}
    assert found_here == {
        "qwen/m": Found(Program.JAN, "qwen/m", path, len(content), sha256),
        "own": Found(Program.JAN, "own", linked, linked.stat().st_size),
    }


def test_jan_where_the_user_moved_it(home: Path) -> None:
    data = home / "bigger disk"
    path = store.put(data / "llamacpp/models/m/model.gguf", store.model("a"))
    store.jan(data, "m", "llamacpp/models/m/model.gguf")
    page = home / ".config/Jan/settings.json"
    store.put(page, f'{{"data_folder": "{data}"}}'.encode())
    assert [model.path for model in found(around(home), Program.JAN)] == [path]
    page.write_text("[1]")
    assert found(around(home), Program.JAN) == []


@pytest.mark.parametrize(
    ("system", "place"),
    [
        ("linux", ".local/share/nomic.ai/GPT4All"),
        ("darwin", "Library/Application Support/nomic.ai/GPT4All"),
        ("win32", "AppData/Local/nomic.ai/GPT4All"),
    ],
)
def test_gpt4all(home: Path, system: str, place: str) -> None:
    path = store.put(home / place / "Llama.Q4_0.gguf", store.model("a"))
    store.put(home / place / "incomplete-other.gguf.part", b"GGUF")
    (model,) = found(around(home, system), Program.GPT4ALL)
    assert (model.name, model.path) == ("Llama.Q4_0", path)


def test_hub_cache(home: Path, tmp_path: Path) -> None:
    content = store.model("a")
    files = {"m-Q4_K_M.gguf": content, "deep/n.gguf": store.model("n"), "config.json": b"{}"}
    snapshot = store.hub(home / ".cache/huggingface/hub", "owner/Model-GGUF", files)
    store.hub(home / ".cache/huggingface/hub", "owner/Model-GGUF", {"m-Q4_K_M.gguf": content}, "d")
    by_name = {model.name: model for model in found(around(home), Program.HUGGING_FACE)}
    assert set(by_name) == {"owner/Model-GGUF/m-Q4_K_M", "owner/Model-GGUF/deep/n"}
    model = by_name["owner/Model-GGUF/m-Q4_K_M"]
    assert model.path == snapshot / "m-Q4_K_M.gguf"
    assert (model.size_bytes, model.sha256) == (len(content), hashlib.sha256(content).hexdigest())
    for variable, folder in (("HF_HOME", "x/hub"), ("HF_HUB_CACHE", "x")):
        store.hub(tmp_path / variable / folder, "a/b", {"m.gguf": store.model("b")})
        value = str(tmp_path / variable / (folder if variable == "HF_HUB_CACHE" else "x"))
        (only,) = found(around(home, **{variable: value}), Program.HUGGING_FACE)
        assert only.name == "a/b/m"


def test_a_set_is_one_model_of_all_its_size(home: Path) -> None:
    folder = home / ".lmstudio/models/p/r"
    sizes = [
        store.put(folder / f"m-0000{n}-of-00002.gguf", store.model(str(n) * n)).stat().st_size
        for n in (1, 2)
    ]
    (model,) = found(around(home), Program.LM_STUDIO)
    assert (model.name, model.size_bytes, model.sha256) == ("p/r/m", sum(sizes), "")


def test_one_file_of_two_programs_is_found_once(home: Path) -> None:
    blob = store.ollama(home / ".ollama/models", "m", "x", store.model("a"))
    shared = home / ".lmstudio/models/p/r/m.gguf"
    shared.parent.mkdir(parents=True)
    shared.hardlink_to(blob)
    assert [model.program for model in find_models(around(home))] == [Program.OLLAMA]


@pytest.mark.skipif(os.name == "nt", reason="it has no such pipes")
def test_settings_without_end_are_none(home: Path) -> None:
    page = home / ".config/Jan/data/llamacpp/models/m/model.yml"
    page.parent.mkdir(parents=True)
    os.mkfifo(page)
    (home / ".config/Jan/settings.json").write_text("[" * 100_000)
    assert find_models(around(home)) == ()
