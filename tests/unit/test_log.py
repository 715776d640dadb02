from __future__ import annotations

import json
import logging
import stat
import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest

from rony_desktop import log
from rony_desktop.log import EventTag, log_engine, log_event, run_context, start_logging
from rony_desktop.redact import hold, release


@pytest.fixture(autouse=True)
def stopped() -> Iterator[None]:
    yield
    log.stop_logging()


def lines(folder: Path, name: str = "app.log") -> list[str]:
    log.stop_logging()
    file = folder / name
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def test_an_event_is_one_line_with_time_level_and_json(tmp_path: Path) -> None:
    start_logging(tmp_path / "log", "info")
    log_event(EventTag.LLM_REQUEST, session="s1", tokens=12, detail="two\nlines é")
    (line,) = lines(tmp_path / "log")
    time, level, text = line.split(" ", 2)
    assert datetime.fromisoformat(time).utcoffset() is not None
    assert level == "INFO"
    assert json.loads(text) == {
        "event": "LLM_REQUEST",
        "session": "s1",
        "tokens": 12,
        "detail": "two\nlines é",
    }


def test_files_are_the_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "log"
    start_logging(folder, "info")
    log_event(EventTag.LLM_REQUEST)
    log_engine("loading model\n")
    assert len(lines(folder)) == len(lines(folder, "llama.log")) == 1
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for file in folder.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_engine_has_its_own_file(tmp_path: Path) -> None:
    start_logging(tmp_path, "error")
    log_engine("main: server is listening\r\n")
    log_event(EventTag.LLM_REQUEST)
    assert lines(tmp_path, "llama.log")[0].endswith("INFO main: server is listening")
    assert lines(tmp_path) == []


def test_secrets_never_reach_a_file(tmp_path: Path) -> None:
    hold("held-value-1")
    start_logging(tmp_path, "info")
    log_event(EventTag.LLM_REQUEST, detail={"password": "hunter22", "x": "held-value-1"})
    log_engine("argv: --api-key held-value-1")
    release("held-value-1")
    text = "".join([*lines(tmp_path), *lines(tmp_path, "llama.log")])
    assert "hunter22" not in text
    assert "held-value-1" not in text
    assert text.count("***") == 3


def test_a_cut_line_shows_no_half_of_a_secret(tmp_path: Path) -> None:
    secret = "half-of-a-secret-value"
    hold(secret)
    start_logging(tmp_path, "info")
    for before in range(log.LINE_LIMIT - 30, log.LINE_LIMIT + 2):
        log_engine("x" * before + secret + "y" * 9000)
    release(secret)
    found = lines(tmp_path, "llama.log")
    assert len(found) == 32
    assert not any("half" in line for line in found)
    assert all(len(line) < log.LINE_LIMIT + 100 for line in found)


def test_an_event_carries_its_run(tmp_path: Path) -> None:
    start_logging(tmp_path, "info")
    token = run_context.set({"session": "s1", "run": "r1"})
    log_event(EventTag.TOOL_CALL, tool="read")
    run_context.reset(token)
    log_event(EventTag.TOOL_CALL, tool="read")
    first, second = (json.loads(line.split(" ", 2)[2]) for line in lines(tmp_path))
    assert (first["session"], first["run"]) == ("s1", "r1")
    assert "run" not in second


def test_warnings_of_libraries_are_kept(
    tmp_path: Path, expected_log: Callable[[str], None]
) -> None:
    expected_log("asyncio: slow")
    start_logging(tmp_path, "info")
    logging.getLogger("httpx").info("GET https://h/?key=abc")
    try:
        int("why")
    except ValueError:
        logging.getLogger("asyncio").exception("slow")
    (line,) = lines(tmp_path)
    fields = json.loads(line.split(" ", 2)[2])
    assert (fields["logger"], fields["detail"]) == ("asyncio", "slow")
    assert "ValueError: invalid literal" in fields["traceback"]


def test_files_rotate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "LIMIT_BYTES", 2000)
    start_logging(tmp_path, "info")
    for number in range(200):
        log_engine(f"line {number}")
    lines(tmp_path)
    files = sorted(file.name for file in tmp_path.iterdir())
    assert files == ["llama.log", "llama.log.1", "llama.log.2", "llama.log.3"]
    assert all(file.stat().st_size <= 2000 for file in tmp_path.iterdir())
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in tmp_path.iterdir())


def test_an_unwritable_folder_is_said_once_and_stops_nothing(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    expected_log: Callable[[str], None],
) -> None:
    expected_log("ERROR_STACKTRACE")
    (tmp_path / "log").write_text("a file")
    start_logging(tmp_path / "log", "info")
    for _ in range(3):
        log_event(EventTag.LLM_REQUEST)
    log_event(EventTag.ERROR_STACKTRACE, logging.ERROR, detail="boom")
    log.stop_logging()
    said = capsys.readouterr().err
    assert said.count("cannot be written") == 1
    assert "boom" in said
    assert "LLM_REQUEST" not in said


def test_a_full_disk_stops_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no /dev/full on this system")
    (tmp_path / "app.log").symlink_to(full)
    start_logging(tmp_path, "info")
    log_event(EventTag.LLM_REQUEST)
    log_event(EventTag.LLM_REQUEST)
    log.stop_logging()
    assert capsys.readouterr().err.count("cannot be written") == 1


def test_without_stderr_nothing_is_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", None)
    (tmp_path / "log").write_text("a file")
    start_logging(tmp_path / "log", "info")
    log_event(EventTag.LLM_REQUEST)
    log.stop_logging()


def test_starting_again_and_stopping_twice_leave_one_thread(tmp_path: Path) -> None:
    before = threading.active_count()
    start_logging(tmp_path / "one", "info")
    start_logging(tmp_path / "two", "debug")
    assert threading.active_count() == before + 1
    log_event(EventTag.LLM_REQUEST, logging.DEBUG)
    log.stop_logging()
    log.stop_logging()
    assert threading.active_count() == before
    assert lines(tmp_path / "one") == []
    assert len(lines(tmp_path / "two")) == 1
