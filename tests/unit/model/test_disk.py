"""Room on a disk: at a path that is there, and at one that is not yet."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rony_desktop.model.disk import free_bytes


def test_a_folder_still_to_be_made_has_the_room_of_its_disk(tmp_path: Path) -> None:
    there = free_bytes(tmp_path)
    assert there is not None
    assert 0 < there <= shutil.disk_usage(tmp_path).total
    assert free_bytes(tmp_path / "models" / "later" / "m.gguf") is not None


def test_a_path_below_a_file_is_not_known(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert free_bytes(tmp_path / "file" / "below") is None


def test_a_disk_that_is_nowhere_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(path: Path) -> None:
        raise FileNotFoundError(path)

    monkeypatch.setattr(shutil, "disk_usage", absent)
    assert free_bytes(Path("/gone/file")) is None
