"""`ask` with a folder, as a user types it: what it reads, what it denies, what it is allowed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.home import Home
from tests.e2e.program import Said, run
from tests.e2e.tool import DONE, calling, told
from tests.fixture.model_server import ModelServer, start_server

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(60)]

TEXT = "one\ntwo\n"
NEW = "one\nTWO\n"


@pytest.fixture
def server(home: Home) -> Iterator[ModelServer]:
    with start_server() as running:
        home.configure(f"provider:\n  base_url: {running.endpoint.base_url}\n")
        yield running


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "notes.md").write_text(TEXT)
    return folder


READ = calling("read_file", "call_read", path="notes.md")
WRITE = calling("write_file", "call_write", path="notes.md", content=NEW)


def lines(said: Said) -> list[str]:
    """What it said about its tools."""
    assert (said.code, said.out) == (0, "All done.\n"), said.err
    return said.err.splitlines()[:-1]


def test_it_reads_in_the_folder(server: ModelServer, work: Path) -> None:
    server.script(READ, DONE)
    assert lines(run("ask", "--workspace", work, "Read")) == ["[read_file: done]"]
    assert "two" in told(server)
    assert "untrusted_content" in told(server)


def test_without_a_folder_it_has_no_tools(server: ModelServer, work: Path) -> None:
    server.script(READ, DONE)
    (line,) = lines(run("ask", "Read"))
    assert line.startswith("[read_file: tool not found")
    assert "two" not in told(server)


def test_what_would_ask_is_denied_and_said(server: ModelServer, work: Path) -> None:
    server.script(WRITE, DONE)
    (line,) = lines(run("ask", "--workspace", work, "Write"))
    assert line.startswith("[write_file: ")
    assert "--allow-tool write_file allows it" in line
    assert "--allow-tool write_file" in told(server)
    assert (work / "notes.md").read_text() == TEXT


def test_an_allowed_tool_writes(server: ModelServer, work: Path) -> None:
    server.script(WRITE, DONE)
    said = run("ask", "--workspace", work, "--allow-tool", "write_file", "Write")
    assert lines(said) == ["[write_file: done]"]
    assert (work / "notes.md").read_text() == NEW


def test_allowing_one_tool_allows_no_other(server: ModelServer, work: Path) -> None:
    server.script(calling("edit_file", path="notes.md", old="two", new="2"), DONE)
    (line,) = lines(run("ask", "--workspace", work, "--allow-tool", "write_file", "Edit"))
    assert "--allow-tool edit_file" in line
    assert (work / "notes.md").read_text() == TEXT


@pytest.mark.parametrize("name", ["AGENTS.md", "rony.yaml", ".git/hooks/pre-commit", "agents.MD"])
def test_protected_names_stay_denied(server: ModelServer, work: Path, name: str) -> None:
    server.script(calling("write_file", path=name, content="Obey.\n"), DONE)
    (line,) = lines(run("ask", "--workspace", work, "--allow-tool", "write_file", "Write"))
    assert "protected" in line
    assert sorted(path.name for path in work.rglob("*")) == ["notes.md"]


@pytest.mark.parametrize("path", ["../notes.md", "/etc/passwd", "link"])
def test_what_leads_out_is_refused(
    server: ModelServer, work: Path, tmp_path: Path, path: str
) -> None:
    (tmp_path / "notes.md").write_text("secret")
    (work / "link").symlink_to(tmp_path / "notes.md")
    server.script(calling("write_file", path=path, content="x"), DONE)
    (line,) = lines(run("ask", "--workspace", work, "--allow-tool", "write_file", "Write"))
    assert "outside" in line
    assert (tmp_path / "notes.md").read_text() == "secret"


def test_a_folder_that_is_missing_is_told(home: Home, server: ModelServer, work: Path) -> None:
    said = run("ask", "--workspace", work / "nowhere", "Read")
    assert (said.code, said.out) == (1, "")
    assert said.err.count("\n") == 1
    assert said.err.startswith("rony-desktop: The folder ")
    assert str(work / "nowhere") in said.err
    assert home.chats() == []


def test_json_lists_the_calls(server: ModelServer, work: Path) -> None:
    server.script(READ, WRITE, DONE)
    said = run("ask", "--json", "--workspace", work, "Read, then write")
    assert (said.code, said.err) == (0, "")
    assert (said.json["content"], said.json["stop_reason"]) == ("All done.", "end_turn")
    wanted = [reply["tool_calls"][0] for reply in (READ, WRITE)]
    assert said.json["tool_calls"] == [
        {"name": call["name"], "arguments": call["arguments"]} for call in wanted
    ]


def test_a_chat_keeps_its_folder(home: Home, server: ModelServer, work: Path) -> None:
    server.script(DONE, READ, DONE)
    first = run("ask", "--json", "--workspace", work, "Hello").json
    said = run("ask", "--session", first["session"], "Read")
    assert lines(said) == ["[read_file: done]"]
    assert len(home.chats()) == 1


def test_chat_works_in_a_folder_too(server: ModelServer, work: Path) -> None:
    server.script(READ, DONE, WRITE, DONE)
    said = run("chat", "--workspace", work, text="Read\nWrite\n")
    assert (said.code, said.out) == (0, "All done.\nAll done.\n")
    assert "[read_file: done]" in said.err
    assert "--allow-tool write_file allows it" in said.err
    assert (work / "notes.md").read_text() == TEXT
