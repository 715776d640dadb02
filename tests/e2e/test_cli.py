"""The commands as a user types them, with the real engine and model."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rony_desktop import __version__
from tests.e2e.home import Home
from tests.e2e.program import run
from tests.e2e.window import opened

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.engine,
    pytest.mark.timeout(120),
    pytest.mark.usefixtures("brief"),
]

QUESTION = "What is a fountain pen?"
MODEL_LOADED = "loading model"
FOOT = re.compile(r"^\[\S+: [\d.]+ tok/s, \d+ tokens, \d+ ms prefill, [a-z_ ]+\]\n$")


@pytest.fixture
def rules(tmp_path: Path) -> str:
    """A scripted model that knows one answer and has another for everything else."""
    file = tmp_path / "rules.json"
    answers = [
        {"match": "colour", "response": "It is blue."},
        {"match": "*", "response": "I do not know."},
    ]
    file.write_text(json.dumps(answers))
    return f"scripted:{file}"


def test_ask_prints_the_answer_and_its_speed(home: Home) -> None:
    said = run("ask", *QUESTION.split())
    assert said.code == 0, said.err
    assert FOOT.match(said.err), said.err
    (chat,) = home.chats()
    assert chat.questions == [QUESTION]
    assert said.out == chat.text + "\n"
    assert home.engines() == []


def test_ask_in_json_is_one_object(home: Home, starter_model: Path) -> None:
    said = run("ask", "--json", QUESTION)
    assert (said.code, said.err) == (0, "")
    assert set(said.json) == {
        "content", "stop_reason", "usage", "timings", "tool_calls", "model", "session",
    }  # fmt: skip
    (chat,) = home.chats()
    assert said.json["content"] == chat.text
    assert said.json["stop_reason"] in {"end_turn", "max_output_recovery_exhausted"}
    assert said.json["session"] == chat.id
    assert said.json["model"] == starter_model.stem
    usage = said.json["usage"]
    assert usage["total_tokens"] == usage["input_tokens"] + usage["output_tokens"] > 0
    assert said.json["timings"]["decode_tokens_per_s"] > 0


def test_a_question_comes_from_standard_input_too(home: Home, rules: str) -> None:
    said = run("ask", "--model", rules, text="Which colour\nis the sky?\n")
    assert (said.code, said.out) == (0, "It is blue.\n")
    assert home.chats()[0].questions == ["Which colour\nis the sky?"]


def test_no_question_is_told(home: Home) -> None:
    said = run("ask", text="  \n")
    assert (said.code, said.out) == (2, "")
    assert said.err == "rony-desktop: there is no question; write one after `ask`.\n"
    assert home.chats() == []


def test_a_session_is_continued(home: Home, rules: str) -> None:
    first = run("ask", "--model", rules, "--json", "Which colour is the sky?").json
    second = run("ask", "--model", rules, "--session", first["session"], "And why?")
    assert second.out == "I do not know.\n"
    (chat,) = home.chats()
    assert chat.questions == ["Which colour is the sky?", "And why?"]


def test_a_session_that_is_not_there_is_told(home: Home, rules: str) -> None:
    said = run("ask", "--model", rules, "--session", "01NOTHERE", "Hello?")
    assert (said.code, said.out) == (1, "")
    assert said.err == "rony-desktop: There is no chat 01NOTHERE. Start a new chat.\n"


@pytest.mark.parametrize("how", ["path", "id", "provider:id"])
def test_a_model_is_named_in_every_way(home: Home, starter_model: Path, how: str) -> None:
    name = {"path": str(starter_model), "id": starter_model.stem}.get(
        how, f"llamacpp:{starter_model.stem}"
    )
    said = run("ask", "--json", "--model", name, "Say hello.")
    assert said.code == 0, said.out + said.err
    assert said.json["model"] == starter_model.stem


def test_chat_answers_line_by_line_until_the_input_ends(home: Home, rules: str) -> None:
    said = run("chat", "--model", rules, text="Which colour is the sky?\n\nWhy?\n")
    assert (said.code, said.out) == (0, "It is blue.\nI do not know.\n")
    (chat,) = home.chats()
    assert chat.questions == ["Which colour is the sky?", "Why?"]


def test_chat_talks_to_the_real_model(home: Home) -> None:
    said = run("chat", text="Say hello.\n/quit\nSay nothing.\n")
    assert said.code == 0, said.err
    (chat,) = home.chats()
    assert chat.questions == ["Say hello."]
    assert said.out == chat.text + "\n"


def test_the_doctor_finds_all_well(home: Home) -> None:
    said = run("doctor", "--json")
    assert said.code == 0, said.out
    assert said.json["ok"] is True
    names = {check["name"] for check in said.json["checks"]}
    assert names - {"power"} == {
        *("system", "folders", "disk", "settings", "sandbox", "memory", "processor"),
        *("engine", "gpu", "model"),
    }
    assert home.engines() == []


def test_the_version_is_said() -> None:
    assert run("--version").out == f"rony-desktop {__version__}\n"


@pytest.mark.x11
def test_smoke_reports_a_start_of_the_window(home: Home, starter_model: Path) -> None:
    said = run("--smoke")
    assert said.code == 0, said.err
    found = said.json
    assert (found["engine"], found["error"]) == ("ready", "")
    assert found["platform"] == "xcb"
    assert found["model"] == starter_model.stem
    assert found["window_ms"] > 0
    assert home.engines() == []


@pytest.mark.x11
def test_ask_beside_a_window_uses_its_engine(home: Home) -> None:
    with opened(home) as window:
        window.wait_ready()
        (engine,) = home.engines()
        loaded = home.log("llama.log").count(MODEL_LOADED)
        said = run("ask", "--json", QUESTION)
        assert said.code == 0, said.err
        assert said.json["content"]
        assert home.engines() == [engine]
        assert [p for p in window.family() if p.name() == engine.name()] == [engine]
        assert home.log("llama.log").count(MODEL_LOADED) == loaded
        window.close()
