from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from rony_desktop.contract.error import DiskFull, FolderUnwritable, OutsideFolder
from rony_desktop.store.place import RUN_PATH_BYTES, Place


def test_folders_are_the_systems_own(own_home: Path) -> None:
    place = Place.of()
    if sys.platform == "linux":
        assert place.config_file == own_home / "config" / "rony" / "config.yaml"
        assert place.data_dir == own_home / "data" / "rony" / "users" / "local"
        assert place.starter_dir == own_home / "cache" / "rony" / "models"
    own = (place.sessions_dir, place.bin_dir, place.artifacts_dir, place.records_dir)
    assert {folder.parent for folder in own} == {place.data_dir}
    assert not place.data_dir.exists()


def test_a_user_id_separates_storage(own_home: Path) -> None:
    one, two = Place.of("ada"), Place.of("bob.b-2_")
    assert one.data_dir != two.data_dir
    assert one.run_dir != two.run_dir
    assert one.models_dir == two.models_dir


@pytest.mark.parametrize("user", ["", ".", "..", "a/b", "a\\b", "é", "a\n", "x" * 65])
def test_a_user_id_is_no_path(user: str) -> None:
    with pytest.raises(OutsideFolder):
        Place.of(user)


def test_prepare_makes_folders_for_the_owner_alone() -> None:
    place = Place.of()
    place.prepare()
    place.prepare()
    for folder in (
        place.data_dir,
        place.data_dir.parent,
        place.sessions_dir,
        place.bin_dir,
        place.artifacts_dir,
        place.records_dir,
        place.config_dir,
        place.cache_dir,
        place.starter_dir,
        place.log_dir,
        place.models_dir,
        place.run_dir,
    ):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700, folder
    assert list(place.sessions_dir.iterdir()) == []
    assert list(place.data_dir.glob("tmp*")) == []


def test_a_file_in_the_place_of_a_folder_is_said(own_home: Path) -> None:
    place = Place.of()
    place.data_dir.parent.mkdir(parents=True)
    place.data_dir.write_text("")
    with pytest.raises(FolderUnwritable) as caught:
        place.prepare()
    assert caught.value.params["path"] == str(place.data_dir)


def test_models_on_a_disk_that_is_away_keep_nobody_out(own_home: Path) -> None:
    place = Place.of()
    place.models_dir.parent.mkdir(parents=True)
    place.models_dir.symlink_to(own_home / "disk" / "models")
    place.prepare()
    assert place.records_dir.is_dir()
    assert not place.models_dir.exists()


def test_a_folder_that_refuses_is_said(own_home: Path) -> None:
    # Even root cannot make folders here.
    refusing = Path("/proc/self/fdinfo")
    if not refusing.is_dir():
        pytest.skip("no /proc on this system")
    place = Place.of()
    place.data_dir.parent.mkdir(parents=True)
    place.data_dir.symlink_to(refusing)
    with pytest.raises(FolderUnwritable):
        place.prepare()


def test_a_full_disk_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full on this system")
    full = Path("/dev/full")
    monkeypatch.setattr("tempfile.TemporaryFile", lambda **_: full.open("wb", buffering=0))
    with pytest.raises(DiskFull):
        Place.of().prepare()


def test_the_runtime_folder_stays_short_enough_for_a_socket(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", f"/{'long/' * 30}")
    assert len(os.fsencode(Place.of().run_dir)) <= RUN_PATH_BYTES
    monkeypatch.setenv("XDG_RUNTIME_DIR", "relative")
    first = Place.of().run_dir
    assert first.is_absolute()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    if sys.platform == "linux":
        assert Place.of().run_dir != first


def test_another_users_runtime_folder_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    own = Place.of().run_dir
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert Place.of().run_dir.parent != own.parent


def test_a_runtime_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
    place = Place.of()
    place.run_dir.symlink_to(tmp_path)
    with pytest.raises(FolderUnwritable):
        place.prepare()


def test_a_runtime_folder_open_to_others_is_closed() -> None:
    place = Place.of()
    place.run_dir.mkdir(parents=True)
    place.run_dir.chmod(0o755)
    place.prepare()
    assert stat.S_IMODE(place.run_dir.stat().st_mode) == 0o700


def test_importing_does_no_work() -> None:
    code = "import sys, rony_desktop.store.place; print('platformdirs' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
