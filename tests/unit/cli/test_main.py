"""The command line: where options may stand, and what every failure looks like."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rony_desktop import __version__
from rony_desktop.cli import main as module
from rony_desktop.cli.main import main, parsed
from rony_desktop.store.place import Place


@pytest.mark.parametrize(
    "words",
    [
        ("--model", "m", "--trust", "ask", "--json", "why"),
        ("ask", "--model", "m", "--json", "--trust", "why"),
        ("ask", "why", "--json", "--trust", "--model", "m"),
        ("--trust", "ask", "why", "--json", "--model=m"),
    ],
)
def test_options_may_stand_before_and_after_the_command(words: tuple[str, ...]) -> None:
    found = parsed(words)
    assert (found.command, found.question, found.json) == ("ask", ["why"], True)
    assert (found.model, found.trust) == ("m", True)


def test_without_words_nothing_is_set() -> None:
    found = parsed([])
    assert (found.command, found.model, found.trust) == (None, None, False)
    assert (found.smoke, found.demo, found.picture) == (False, None, None)
    assert parsed(["chat"]).model is None


@pytest.mark.parametrize("command", ["ask", "chat", "doctor"])
def test_every_command_has_its_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parsed([command, "--help"])
    assert ended.value.code == 0
    assert "--model" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["plan", "inspect"])
def test_commands_about_a_file_name_it(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parsed([command, "--help"])
    assert ended.value.code == 0
    assert "FILE" in capsys.readouterr().out


def test_an_unknown_command_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parsed(["sing"])
    assert ended.value.code == 2
    assert "sing" in capsys.readouterr().err


def test_the_version_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parsed(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"rony-desktop {__version__}\n"


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("nothing", "There is no model named 'nothing'."),
        ("some/where.gguf", "The model file some/where.gguf cannot be read"),
        ("scripted:none.json", "none.json cannot be read"),
    ],
)
def test_a_failure_is_one_sentence_and_exit_code_1(
    model: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ask", "why", "--model", model]) == 1
    said = capsys.readouterr()
    assert said.out.strip() == ""
    (line,) = said.err.splitlines()
    assert line.startswith(f"rony-desktop: {words}")


def test_an_unwritable_data_folder_is_one_sentence(
    model: str, capsys: pytest.CaptureFixture[str]
) -> None:
    blocked = Place.of().data_dir
    blocked.parent.mkdir(parents=True)
    blocked.write_text("in the way", "utf-8")
    assert main(["ask", "the capital?", "--model", model]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"rony-desktop: The folder {blocked} cannot be written")


def test_what_is_wrong_with_the_settings_comes_before_the_answer(
    model: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = Place.of().config_file
    file.parent.mkdir(parents=True)
    file.write_text("app:\n  max_steps: many\n  nonsense: 1\n", "utf-8")
    assert main(["ask", "the capital?", "--model", model]) == 0
    said = capsys.readouterr()
    assert said.out == "It is Paris.\n"
    *notices, footer = said.err.splitlines()
    assert len(notices) == 2
    assert all(line.startswith("rony-desktop: ") and str(file) in line for line in notices)
    assert footer.startswith("[")


def test_ctrl_c_is_exit_code_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def interrupted(_: argparse.Namespace) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "_command", interrupted)
    assert main(["chat"]) == 130
    assert capsys.readouterr().err == ""


def test_what_nobody_foresaw_is_one_sentence_and_its_traceback_is_in_the_log(
    model: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    expected_log: Callable[[str], None],
) -> None:
    expected_log("ERROR_STACKTRACE")
    from rony_desktop.cli import ask

    def broken(*_: object) -> str:
        raise ZeroDivisionError("unforeseen")

    monkeypatch.setattr(ask, "footer", broken)
    assert main(["ask", "the capital?", "--model", model]) == 1
    said = capsys.readouterr()
    (line,) = said.err.splitlines()
    assert line.startswith("rony-desktop: Something went wrong: ZeroDivisionError('unforeseen').")
    events = [
        json.loads(entry.split(" ", 2)[2])
        for entry in (Place.of().log_dir / "app.log").read_text("utf-8").splitlines()
    ]
    (crash,) = (event for event in events if event["event"] == "ERROR_STACKTRACE")
    assert "ZeroDivisionError: unforeseen" in crash["detail"]


def test_a_reader_that_leaves_early_is_no_traceback(model: str) -> None:
    command = [sys.executable, "-m", "rony_desktop", "ask", "the capital?", "--model", model]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
    assert process.returncode == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
@pytest.mark.parametrize("how", [[], ["--json"]])
def test_an_output_that_takes_nothing_is_one_sentence(model: str, how: list[str]) -> None:
    command = [sys.executable, "-m", "rony_desktop", "ask", "capital", "--model", model]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*command, *how],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=30,
        )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("rony-desktop: ")
    assert "No space left" in line


@pytest.mark.skipif(os.name == "nt", reason="a shell closes it")
@pytest.mark.parametrize("name", ["ask", "chat"])
def test_a_closed_standard_input_is_an_empty_one(model: str, name: str) -> None:
    shell = f'exec "{sys.executable}" -m rony_desktop {name} --model "{model}" <&-'
    done = subprocess.run(
        ["sh", "-c", shell], capture_output=True, text=True, check=False, timeout=30
    )
    assert "went wrong" not in done.stderr
    assert done.returncode == (2 if name == "ask" else 0)


def test_the_command_line_needs_no_qt(model: str, tmp_path: Path) -> None:
    code = (
        "import sys; from rony_desktop.cli.main import main; "
        f"main(['ask', 'the capital?', '--model', {model!r}]); "
        "print([name for name in sys.modules if 'PySide6' in name or 'qasync' in name])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=30
    )
    assert done.stdout.splitlines() == ["It is Paris.", "[]"]


def test_no_loop_is_left_behind(model: str) -> None:
    assert main(["ask", "the capital?", "--model", model]) == 0
    with pytest.raises(RuntimeError):
        asyncio.get_running_loop()
