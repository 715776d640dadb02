"""Archives come whole and unchanged, or not at all."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from rony_desktop.contract.build import Archive
from rony_desktop.contract.error import HubUnreachable, InstallChecksum, InstallError
from rony_desktop.contract.halt import Halt, Halted
from rony_desktop.engine import fetch as module
from rony_desktop.engine.fetch import ask, save
from tests.fake.release import FakeAnswer, FakeWeb

DATA = b"archive" * 10
URL = "https://host/files/a.zip"
PAGE = {"content-type": "Text/HTML; charset=utf-8"}


def archive(size: int = len(DATA), data: bytes = DATA, url: str = URL) -> Archive:
    return Archive("a.zip", url, hashlib.sha256(data).hexdigest(), size)


def quiet(done: int, total: int) -> None:
    pass


def moved(location: str, status: int = 302) -> FakeAnswer:
    return FakeAnswer(status=status, headers={"location": location})


def test_it_is_saved_and_told(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    web = FakeWeb({URL: moved("/other"), "https://host/other": FakeAnswer(DATA)})
    save(web, archive(), tmp_path / "a", Halt(), lambda done, total: told.append((done, total)))
    assert (tmp_path / "a").read_bytes() == DATA
    assert told == [(done, 70) for done in range(10, 71, 10)]
    assert web.asked == [URL, "https://host/other"]


@pytest.mark.parametrize(
    ("answer", "wanted", "says"),
    [
        (FakeAnswer(DATA[:-1] + b"x"), archive(), "SHA-256"),
        (FakeAnswer(DATA[:-1]), archive(), "SHA-256"),
        (FakeAnswer(DATA + b"x"), archive(), "larger"),
        (FakeAnswer(DATA + b"x"), archive(size=0), "SHA-256"),
    ],
)
def test_what_is_something_else_is_not_kept(
    tmp_path: Path, answer: FakeAnswer, wanted: Archive, says: str
) -> None:
    with pytest.raises(InstallChecksum, match=says):
        save(FakeWeb({URL: answer}), wanted, tmp_path / "a", Halt(), quiet)
    assert list(tmp_path.iterdir()) == []


def test_a_body_without_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ARCHIVE_LIMIT_BYTES", 30)
    with pytest.raises(InstallChecksum, match="larger"):
        save(FakeWeb({URL: FakeAnswer(DATA)}), archive(size=0), tmp_path / "a", Halt(), quiet)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (FakeAnswer(b"<html>", headers=PAGE), "sign in"),
        (FakeAnswer(status=404), "nothing at /files/a.zip"),
        (FakeAnswer(status=403), "too often"),
        (FakeAnswer(status=429), "too often"),
        (FakeAnswer(status=503), "HTTP status 503"),
        (FakeAnswer(status=206, body=DATA), "HTTP status 206"),
        (moved(URL), "without end"),
        (moved("http://host/files/a.zip"), "not safe"),
        (moved("file:///etc/passwd"), "not safe"),
        (moved("https://[::1"), "not safe"),
        (moved(""), "not safe"),
    ],
)
def test_answers_that_are_no_archive(tmp_path: Path, answer: FakeAnswer, says: str) -> None:
    with pytest.raises(InstallError, match=says):
        save(FakeWeb({URL: answer}), archive(), tmp_path / "a", Halt(), quiet)
    assert list(tmp_path.iterdir()) == []


def test_a_connection_that_breaks(tmp_path: Path) -> None:
    with pytest.raises(HubUnreachable):
        web = FakeWeb({URL: FakeAnswer(DATA[:30], cut=True)})
        save(web, archive(), tmp_path / "a", Halt(), quiet)
    assert list(tmp_path.iterdir()) == []


def test_halt_between_blocks(tmp_path: Path) -> None:
    halt, seen = Halt(), []

    def tell(done: int, total: int) -> None:
        seen.append(done)
        halt.stop()

    with pytest.raises(Halted):
        save(FakeWeb({URL: FakeAnswer(DATA)}), archive(), tmp_path / "a", halt, tell)
    assert seen == [10]
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_refuses(tmp_path: Path) -> None:
    with pytest.raises(InstallError, match="No such file"):
        save(FakeWeb({URL: FakeAnswer(DATA)}), archive(), tmp_path / "x" / "a", Halt(), quiet)


def test_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ask(FakeWeb({URL: FakeAnswer(b'{"a": [1]}')}), URL, Halt()) == {"a": [1]}
    for body in (b"{", b"[" * 100_000, b"\xff"):
        with pytest.raises(InstallError, match="not a list"):
            ask(FakeWeb({URL: FakeAnswer(body)}), URL, Halt())
    monkeypatch.setattr(module, "LIST_LIMIT_BYTES", 5)
    with pytest.raises(InstallError, match="no end"):
        ask(FakeWeb({URL: FakeAnswer(b"[1, 2, 3]")}), URL, Halt())
