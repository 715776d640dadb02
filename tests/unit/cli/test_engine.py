"""`engine` lists, installs and uses builds; its failures are sentences."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from rony_desktop.app import supply
from rony_desktop.app.install import InUse, Overview
from rony_desktop.cli.engine import _text, as_json
from rony_desktop.cli.main import main, parsed
from rony_desktop.contract.build import Archive, Build, Host, Release, Source, Variant
from rony_desktop.contract.error import BinaryNotFound
from tests.fixture.archive import scripted
from tests.fixture.release_server import ReleaseServer, release_server

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ReleaseServer]:
    """A site with a good build and one for another processor, on a computer they are made for."""
    monkeypatch.chdir(tmp_path)
    scripted(tmp_path / "site", 9900)
    scripted(tmp_path / "site", 9901, behaviour="illegal")
    host = Host("Linux", "x86_64", ("glibc", "2.39"))
    monkeypatch.setattr(supply.platform, "system", lambda: host.system)
    monkeypatch.setattr(supply.platform, "machine", lambda: host.machine)
    monkeypatch.setattr(supply.platform, "libc_ver", lambda: host.libc)
    with release_server(tmp_path / "site") as running:
        monkeypatch.setenv("RONY_LLAMA__RELEASES_URL", running.url)
        yield running


def said(capsys: Captured) -> dict[str, object]:
    (line,) = capsys.readouterr().out.splitlines()
    found: dict[str, object] = json.loads(line)
    return found


def test_install_use_list(server: ReleaseServer, capsys: Captured) -> None:
    assert main(["engine", "install", "b9900", "--json"]) == 0
    installed = said(capsys)["installed"]
    assert isinstance(installed, dict)
    assert (installed["id"], installed["pinned"]) == ("b9900-cpu", False)
    assert main(["engine", "use", "b9900-cpu", "--json"]) == 0
    assert said(capsys) == {"chosen": "b9900-cpu", "outranked_by": None}
    assert main(["engine", "list", "--json"]) == 0
    found = said(capsys)
    assert found["in_use"] == {
        "name": "llama.cpp b9900 (cpu)",
        "build": "b9900",
        "source": "installed",
        "why": "it was chosen",
        "outdated": False,
    }
    assert found["installed"] == [installed]
    assert main(["engine", "use", "auto", "--json"]) == 0
    assert said(capsys) == {"chosen": None, "outranked_by": None}


def test_the_same_in_words(
    server: ReleaseServer, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["engine", "install", "9900"]) == 0
    text = capsys.readouterr()
    assert text.err == ""
    assert "b9900-cpu is installed and computes on this computer." in text.out
    assert "hash came from the site" in text.out
    assert main(["engine", "use", "b9900"]) == 0
    assert "b9900-cpu computes" in capsys.readouterr().out
    assert main(["engine", "list", "--online"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "in use     llama.cpp b9900 (cpu): it was chosen"
    assert "chosen     b9900-cpu" in lines
    assert "installed  b9900-cpu" in lines
    assert [line for line in lines if line.startswith("available  b9901-cpu: for every computer")]
    monkeypatch.setenv("RONY_LLAMA__ENGINE", "b9900-cpu")
    assert main(["engine", "use", "auto"]) == 0
    out = capsys.readouterr().out
    assert "No build is chosen" in out
    assert "llama.engine in the settings outranks" in out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["install", "b9901"], "b9901-cpu does not run on this computer"),
        (["install", "b9902"], "nothing at /releases/tags/b9902"),
        (["install", "nonsense"], "There is no engine build nonsense for this computer."),
        (["use", "b1"], "There is no engine build b1 on this computer. Known builds: none."),
        (["use", "previous"], "There is no engine build previous"),
    ],
)
def test_a_failure_is_a_sentence(
    server: ReleaseServer, capsys: Captured, words: list[str], says: str
) -> None:
    assert main(["engine", *words, "--json"]) == 1
    text = capsys.readouterr()
    assert text.out == ""
    assert text.err.startswith("rony-desktop: ")
    assert says in text.err
    assert len(text.err.splitlines()) == 1


def test_an_action_is_needed(capsys: Captured) -> None:
    with pytest.raises(SystemExit) as ended:
        parsed(["engine"])
    assert ended.value.code == 2


def test_where_no_engine_works() -> None:
    failure = BinaryNotFound(tried="nothing").failure()
    archive = Archive("a", "https://h/a", "0" * 64, 15_900_000)
    release = Release(9, Variant.VULKAN, (archive,), pinned=True)
    found = Overview((), (release,), "", "", None, failure)
    first, second = _text(found)
    assert first.startswith("in use     none: No engine on this computer")
    assert second == "available  b9-vulkan: for graphics of every make, 15 MB"
    assert as_json(found)["failure"] == str(failure)
    nothing = list(_text(Overview((), (), "", "llama.engine", None, failure)))
    assert nothing[1:] == [
        "           llama.engine in the settings decides",
        "           llama.cpp publishes nothing for this computer",
    ]


def test_an_old_build_is_told() -> None:
    build = Build(8000, Variant.CPU, Path("/x"), pinned=False)
    used = InUse("llama.cpp b8000 (cpu)", "b8000", Source.INSTALLED, outdated=True)
    lines = list(_text(Overview((build,), (), "b8000-cpu", "", used)))
    assert lines[1] == "           it has known holes; install a newer one"
