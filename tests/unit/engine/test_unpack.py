"""Whatever an archive says, nothing comes out beside its folder."""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from rony_desktop.contract.error import InstallError, InstallUnsafe
from rony_desktop.contract.halt import Halt, Halted
from rony_desktop.engine import unpack as module
from rony_desktop.engine.unpack import unpack
from tests.fixture.archive import tar

WRONG = [
    "../out",
    "a/../../out",
    "/out",
    "C:/out",
    "C:out",
    "..\\out",
    "a\\b",
    "a:stream",
    "\x1b[2J",
    "..",
]


def zipped(path: Path, files: dict[str, bytes], links: dict[str, str] | None = None) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo("x")
            info.filename = name
            info.external_attr = (stat.S_IFREG | 0o755) << 16
            archive.writestr(info, data)
        for name, target in (links or {}).items():
            info = zipfile.ZipInfo(name)
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, target)
    return path


def out(tmp_path: Path, archive: Path) -> dict[str, bytes]:
    folder = tmp_path / "a folder" / "out"
    unpack(archive, folder, Halt())
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def refused(tmp_path: Path, archive: Path) -> str:
    before = {path for path in tmp_path.rglob("*") if "deep" not in path.parts}
    folder = tmp_path / "deep" / "er" / "out"
    with pytest.raises(InstallUnsafe) as caught:
        unpack(archive, folder, Halt())
    for path in folder.rglob("*"):
        assert path.resolve().is_relative_to(folder.resolve()), path
    after = {path for path in tmp_path.rglob("*") if "deep" not in path.parts}
    assert after == before
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["er"]
    assert [path.name for path in (tmp_path / "deep" / "er").iterdir()] == ["out"]
    return caught.value.params["detail"]


@pytest.mark.parametrize("kind", [tar, zipped])
def test_files_folders_and_links_beside_them(tmp_path: Path, kind: type) -> None:
    files = {"build/bin/llama-server": b"x" * 3_000_000, "build/bin/lib.so.0": b"y"}
    archive = kind(tmp_path / "archive", files, {"build/bin/lib.so": "lib.so.0"})
    assert out(tmp_path, archive) == {**files, "build/bin/lib.so": b"y"}
    folder = tmp_path / "a folder" / "out" / "build" / "bin"
    assert (folder / "lib.so").readlink() == Path("lib.so.0")
    assert stat.S_IMODE((folder / "llama-server").stat().st_mode) == 0o755


def test_folders_and_the_root_itself_may_be_named(tmp_path: Path) -> None:
    path = tmp_path / "archive"
    with tarfile.open(path, "w:gz") as archive:
        for name in ("./", "./a", "./a/b/"):
            info = tarfile.TarInfo(name)
            info.type = tarfile.DIRTYPE
            archive.addfile(info)
        info = tarfile.TarInfo("./a/file")
        info.mode = 0o6644
        archive.addfile(info)
    assert out(tmp_path, path) == {"a/file": b""}
    file = tmp_path / "a folder" / "out" / "a" / "file"
    assert stat.S_IMODE(file.stat().st_mode) == 0o644, "no program, and no rights of others"


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("kind", [tar, zipped])
def test_names_that_lead_away(tmp_path: Path, kind: type, name: str) -> None:
    detail = refused(tmp_path, kind(tmp_path / "archive", {"good": b"", name: b"evil"}))
    assert "called" in detail


@pytest.mark.parametrize("link", ["../x", "/etc/passwd", "sub/x", "..", ".", "a\\b", "C:x"])
@pytest.mark.parametrize("kind", [tar, zipped])
def test_links_that_lead_away(tmp_path: Path, kind: type, link: str) -> None:
    archive = kind(tmp_path / "archive", {"sub/x": b""}, {"link": link})
    assert "link" in refused(tmp_path, archive)


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    path = tmp_path / "archive"
    with tarfile.open(path, "w:gz") as archive:
        link = tarfile.TarInfo("sub")
        link.type, link.linkname = tarfile.SYMTYPE, "other"
        archive.addfile(link)
        archive.addfile(tarfile.TarInfo("sub/file"))
    assert "twice" in refused(tmp_path, path)


@pytest.mark.parametrize("kind", [tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_what_is_neither_file_nor_link(tmp_path: Path, kind: bytes) -> None:
    path = tmp_path / "archive"
    with tarfile.open(path, "w:gz") as archive:
        info = tarfile.TarInfo("thing")
        info.type, info.linkname = kind, "/etc/passwd"
        archive.addfile(info)
    assert "no file" in refused(tmp_path, path)


def test_a_name_twice(tmp_path: Path) -> None:
    path = tmp_path / "archive"
    with tarfile.open(path, "w:gz") as archive:
        for _ in range(2):
            archive.addfile(tarfile.TarInfo("same"))
    assert "twice" in refused(tmp_path, path)


def test_a_file_that_is_a_folder_too(tmp_path: Path) -> None:
    assert "twice" in refused(tmp_path, tar(tmp_path / "a", {"x": b"", "x/y": b""}))


def test_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tar(tmp_path / "archive", {name: bytes(600) for name in "abc"})
    monkeypatch.setattr(module, "UNPACKED_LIMIT_BYTES", 1500)
    assert "too much" in refused(tmp_path, archive)
    monkeypatch.setattr(module, "FILES_LIMIT", 2)
    assert "too many" in refused(tmp_path / "again", archive)


@pytest.mark.parametrize("kind", [tar, zipped])
@pytest.mark.parametrize("cut", [0, 10, 0.5, 0.9])
def test_an_archive_that_is_cut(tmp_path: Path, kind: type, cut: float) -> None:
    path = kind(tmp_path / "archive", {"a": bytes(range(256)) * 400, "b": b"x" * 1000})
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * cut) if cut < 1 else int(cut)])
    refused(tmp_path, path)


@pytest.mark.parametrize("data", [b"", b"<html></html>", b"PK\x03\x04", b"\x1f\x8b" + b"x" * 100])
def test_what_is_no_archive(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "archive"
    path.write_bytes(data)
    refused(tmp_path, path)


def test_damage_inside(tmp_path: Path) -> None:
    path = zipped(tmp_path / "archive", {"a": b"x" * 1000})
    path.write_bytes(path.read_bytes().replace(b"xxxx", b"yyyy"))
    refused(tmp_path, path)


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
def test_damage_of_what_is_packed(tmp_path: Path, method: int) -> None:
    path = tmp_path / "archive"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("a", bytes(range(256)) * 9)
    data = bytearray(path.read_bytes())
    data[40:80] = b"\xff" * 40
    path.write_bytes(data)
    refused(tmp_path, path)


def test_a_file_without_a_name(tmp_path: Path) -> None:
    refused(tmp_path, zipped(tmp_path / "archive", {"": b"x"}))


def test_it_stops_when_asked(tmp_path: Path) -> None:
    halt = Halt()
    halt.stop()
    with pytest.raises(Halted):
        unpack(tar(tmp_path / "a", {"x": b""}), tmp_path / "out", halt)


def test_a_disk_that_refuses(tmp_path: Path) -> None:
    archive = tar(tmp_path / "a", {"x": b""})
    with pytest.raises(InstallError) as caught:
        unpack(tmp_path / "gone", tmp_path / "out", Halt())
    assert "No such file" in caught.value.params["detail"]
    with pytest.raises(InstallError):
        unpack(archive, archive / "below", Halt())


def test_an_empty_archive(tmp_path: Path) -> None:
    path = tmp_path / "archive"
    buffer = io.BytesIO()
    tarfile.open(fileobj=buffer, mode="w:gz").close()
    path.write_bytes(buffer.getvalue())
    assert out(tmp_path, path) == {}
