"""Files with the same content share their bytes, ours alone and each whole at every moment."""

from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.contract.adopt import Duplicate
from rony_desktop.contract.error import ModelNotMerged
from rony_desktop.contract.halt import Halt, Halted
from rony_desktop.model import duplicate as module
from rony_desktop.model.duplicate import Hashes, Mark, find_duplicates, merge
from tests.fixture.store import put

A, B, C = b"GGUF" + b"a" * 996, b"GGUF" + b"b" * 996, b"GGUF" + b"c" * 500


def quiet(done: int, total: int) -> None:
    pass


def look(ours: list[Path], others: list[Path], hashes: Hashes) -> tuple[Duplicate, ...]:
    return find_duplicates(ours, others, hashes, Halt(), quiet)


def test_our_copy_of_their_file_becomes_a_link(tmp_path: Path) -> None:
    ours = [put(tmp_path / "own" / name, A) for name in ("1.gguf", "2.gguf")]
    ours += [put(tmp_path / "own" / "b.gguf", B), put(tmp_path / "own" / "c.gguf", C)]
    theirs = put(tmp_path / "their" / "blob", A)
    hashes = Hashes()
    (found,) = look(ours, [theirs], hashes)
    assert (found.kept, found.copies) == (theirs, tuple(ours[:2]))
    assert found.saved_bytes == 2000
    before = Mark.of(theirs)
    assert merge(found, hashes) == 2000
    assert all(path.samefile(theirs) and path.read_bytes() == A for path in ours[:2])
    assert Mark.of(theirs) == before
    assert sorted(path.name for path in (tmp_path / "own").iterdir()) == [
        "1.gguf",
        "2.gguf",
        "b.gguf",
        "c.gguf",
    ]
    assert look(ours, [theirs], hashes) == ()


def test_their_files_are_never_replaced(tmp_path: Path) -> None:
    theirs = [put(tmp_path / "their" / name, A) for name in ("1", "2")]
    assert look([], theirs, Hashes()) == ()
    own = put(tmp_path / "own.gguf", A)
    (found,) = look([own], theirs, Hashes())
    assert found.copies == (own,)


def test_only_what_frees_bytes_counts(tmp_path: Path) -> None:
    theirs = put(tmp_path / "their", A)
    (linked := tmp_path / "linked.gguf").hardlink_to(theirs)
    (symbolic := tmp_path / "symbolic.gguf").symlink_to(theirs)
    twice = put(tmp_path / "twice.gguf", A)
    (tmp_path / "second name").hardlink_to(twice)
    assert look([linked, symbolic, twice], [theirs], Hashes()) == ()


def test_only_files_of_one_size_are_read_and_each_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    real = module._sha256

    def watched(path: Path, *rest: object) -> str:
        read.append(path.name)
        return real(path, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "_sha256", watched)
    files = [put(tmp_path / name, data) for name, data in (("1", A), ("2", B), ("3", C))]
    files.append(put(tmp_path / "empty", b""))
    files.append(put(tmp_path / "empty too", b""))
    hashes = Hashes()
    assert look(files, [], hashes) == ()
    assert sorted(read) == ["1", "2"]
    read.clear()
    again = Hashes(hashes.learned)
    assert look(files, [], again) == ()
    assert read == []
    assert again.learned == {}
    files[0].write_bytes(B)
    assert look(files, [], again)
    assert read == ["1"]


def test_progress_ends_at_its_total_and_halt_keeps_what_was_learned(tmp_path: Path) -> None:
    files = [put(tmp_path / name, data) for name, data in (("1", A), ("2", B))]
    told: list[tuple[int, int]] = []
    find_duplicates(files, [], Hashes(), Halt(), lambda done, total: told.append((done, total)))
    assert told[-1] == (2000, 2000)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    hashes, halt = Hashes(), Halt()

    def stop(done: int, total: int) -> None:
        if done == 1000:
            halt.stop()

    with pytest.raises(Halted):
        find_duplicates(files, [], hashes, halt, stop)
    assert len(hashes.learned) == 1


@pytest.mark.parametrize("changed", ["kept", "copy"])
def test_a_file_that_was_changed_meanwhile_is_left_alone(tmp_path: Path, changed: str) -> None:
    own, theirs = put(tmp_path / "own.gguf", A), put(tmp_path / "their", A)
    hashes = Hashes()
    (found,) = look([own], [theirs], hashes)
    (own if changed == "copy" else theirs).write_bytes(B)
    with pytest.raises(ModelNotMerged, match="changed meanwhile"):
        merge(found, hashes)
    assert not own.samefile(theirs)


def test_a_file_that_went_is_said(tmp_path: Path) -> None:
    own, theirs = put(tmp_path / "own.gguf", A), put(tmp_path / "their", A)
    hashes = Hashes()
    (found,) = look([own], [theirs, tmp_path / "gone"], hashes)
    theirs.unlink()
    with pytest.raises(ModelNotMerged, match="No such file"):
        merge(found, hashes)
    assert own.read_bytes() == A


def test_where_links_are_refused_the_copy_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, theirs = put(tmp_path / "own.gguf", A), put(tmp_path / "their", A)
    hashes = Hashes()
    (found,) = look([own], [theirs], hashes)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(module.Path, "hardlink_to", refuse)
    with pytest.raises(ModelNotMerged, match="not permitted"):
        merge(found, hashes)
    assert [path.name for path in tmp_path.glob("own*")] == ["own.gguf"]
