"""One question, one answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rony_desktop.cli.ask import as_json, footer, tool_line
from rony_desktop.cli.main import main
from rony_desktop.contract.agent import Response
from rony_desktop.contract.error import StreamBroken
from rony_desktop.contract.llm import StopReason, Timings, TokenUsage
from rony_desktop.contract.message import ToolResult
from rony_desktop.store.place import Place

Typed = Callable[[str], None]
Captured = pytest.CaptureFixture[str]


def chats() -> list[str]:
    return [path.stem for path in Place.of().sessions_dir.glob("*.jsonl")]


def test_the_answer_is_standard_output_and_its_speed_is_not(model: str, capsys: Captured) -> None:
    assert main(["ask", "What", "is", "the", "capital?", "--model", model]) == 0
    said = capsys.readouterr()
    assert said.out == "It is Paris.\n"
    (line,) = said.err.splitlines()
    assert line == "[scripted: 0.0 tok/s, 3 tokens, 0 ms prefill, end_turn]"


def test_json_is_one_object(model: str, capsys: Captured) -> None:
    assert main(["ask", "--json", "the capital?", "--model", model]) == 0
    said = capsys.readouterr()
    (line,) = said.out.splitlines()
    found = json.loads(line)
    assert set(found) == {
        "content", "stop_reason", "usage", "timings", "tool_calls", "model", "session",
    }  # fmt: skip
    assert (found["content"], found["stop_reason"]) == ("It is Paris.", "end_turn")
    assert found["usage"]["output_tokens"] == 3
    assert found["usage"]["total_tokens"] == found["usage"]["input_tokens"] + 3
    assert chats() == [found["session"]]
    assert said.err == ""


def test_the_question_may_come_from_standard_input(
    model: str, capsys: Captured, typed: Typed
) -> None:
    typed("What is\nthe capital?\n")
    assert main(["ask", "--model", model]) == 0
    assert capsys.readouterr().out == "It is Paris.\n"


@pytest.mark.parametrize("text", ["", " \n\t\n"])
def test_without_a_question_nothing_is_asked(
    model: str, capsys: Captured, typed: Typed, text: str
) -> None:
    typed(text)
    assert main(["ask", "--model", model]) == 2
    said = capsys.readouterr()
    assert (said.out, len(said.err.splitlines())) == ("", 1)
    assert not Place.of().sessions_dir.exists()


def test_a_chat_goes_on(model: str, capsys: Captured) -> None:
    main(["ask", "--json", "hello", "--model", model])
    first = json.loads(capsys.readouterr().out)
    assert main(["ask", "--json", "the capital?", "--session", first["session"]]) != 2
    capsys.readouterr()
    assert (
        main(["ask", "--json", "the capital?", "--model", model, "--session", first["session"]])
        == 0
    )
    second = json.loads(capsys.readouterr().out)
    assert second["session"] == first["session"]
    assert second["usage"]["input_tokens"] > first["usage"]["input_tokens"]
    assert chats() == [first["session"]]


def test_a_chat_that_is_not_there_is_said_and_not_made(model: str, capsys: Captured) -> None:
    assert main(["ask", "hello", "--model", model, "--session", "nowhere"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("rony-desktop: There is no chat nowhere.")
    assert chats() == []


@pytest.mark.parametrize(
    ("question", "code"), [("something else", "provider.refused"), ("break", "provider.empty")]
)
def test_a_failed_answer_is_exit_code_1_and_says_why(
    model: str, capsys: Captured, question: str, code: str
) -> None:
    assert main(["ask", "--json", question, "--model", model]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["stop_reason"], found["error"]["code"]) == ("error", code)
    assert main(["ask", question, "--model", model]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line == f"rony-desktop: {found['error']['message']}"


def test_footer_and_json_round_for_people() -> None:
    timings = Timings(prompt_n=10, prompt_ms=300, predicted_n=7, predicted_ms=900)
    response = Response("x", StopReason.END_TURN, usage=TokenUsage(10, 7), timings=timings)
    assert footer(response) == "[: 7.8 tok/s, 7 tokens, 300 ms prefill, end_turn]"
    shown = as_json(response, "s")["timings"]
    assert (shown["decode_tokens_per_s"], shown["prefill_tokens_per_s"]) == (7.78, 33.33)


def test_a_failure_outranks_the_speed() -> None:
    failure = StreamBroken(detail="gone").failure()
    response = Response("x", StopReason.ERROR, failure=failure)
    assert footer(response).startswith("rony-desktop: The answer broke off: gone.")


@pytest.fixture
def acting(tmp_path: Path) -> str:
    """Calls a tool where it is asked to, and answers its result."""
    rules = [
        {"match": "result of", "response": "Done."},
        {"match": "read", "response": '{"tool": "read_file", "args": {"path": "a.md"}}'},
        {"match": "write", "response": '{"tool": "write_file", "args": '
         '{"path": "b.md", "content": "new"}}'},
    ]  # fmt: skip
    file = tmp_path / "acting.json"
    file.write_text(json.dumps(rules), "utf-8")
    return f"scripted:{file}"


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "a.md").write_text("Notes.\n")
    return folder


def test_a_folder_may_be_read(acting: str, work: Path, capsys: Captured) -> None:
    assert main(["ask", "--workspace", str(work), "Read it", "--model", acting]) == 0
    said = capsys.readouterr()
    assert said.out == "Done.\n"
    assert said.err.splitlines()[0] == "[read_file: done]"


def test_what_would_ask_is_denied_unless_it_is_allowed_by_name(
    acting: str, work: Path, capsys: Captured
) -> None:
    asking = ["ask", "--workspace", str(work), "Write it", "--model", acting]
    assert main(asking) == 0
    assert "--allow-tool write_file allows it" in capsys.readouterr().err
    assert not (work / "b.md").exists()
    assert main([*asking, "--allow-tool", "write_file"]) == 0
    assert (work / "b.md").read_text() == "new"


def test_what_a_folder_brings_is_used_with_trust_only(
    acting: str, work: Path, capsys: Captured
) -> None:
    (work / "AGENTS.md").write_text("Be brief.")
    asking = ["ask", "--workspace", str(work), "Read it", "--model", acting]
    assert main(asking) == 0
    assert "AGENTS.md of the folder not used" in capsys.readouterr().err
    assert main([*asking, "--trust"]) == 0
    assert main(asking) == 0  # and from then on
    assert "not used" not in capsys.readouterr().err


def test_a_folder_that_is_not_there_is_one_sentence(
    acting: str, tmp_path: Path, capsys: Captured
) -> None:
    missing = str(tmp_path / "missing")
    assert main(["ask", "--workspace", missing, "Read it", "--model", acting]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "missing" in line


def test_words_of_a_model_do_not_move_the_cursor() -> None:
    assert tool_line("a\x1b[2J", ToolResult("no\u202e such file\nmore", is_error=True)) == (
        "[a [2J: no  such file]"
    )
