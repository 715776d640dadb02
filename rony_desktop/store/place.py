"""Where everything is kept: the folders the system gives programs, separated by user id."""

from __future__ import annotations

import hashlib
import os
import re
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from rony_desktop.contract.error import DiskFull, FolderUnwritable, OutsideFolder
from rony_desktop.store.atomic import storage_error

APPLICATION = "rony"
LOCAL_USER = "local"
PROBE_BYTES = 4096
OWNER_ONLY = 0o700
# A socket's path may have 103 bytes (macOS; 107 on Linux); its name needs up to 24.
RUN_PATH_BYTES = 78
_USER = re.compile(r"(?!\.+$)[A-Za-z0-9._-]{1,64}")


@dataclass(frozen=True, slots=True)
class Place:
    """Folders and files of one user; config, models and cache are shared between users.

    starter_dir holds models that came with the set-up, run_dir sockets and pid files, bin_dir
    deleted sessions, artifacts_dir large results of tools, records_dir small typed records.
    """

    user: str
    config_dir: Path
    config_file: Path
    data_dir: Path
    sessions_dir: Path
    bin_dir: Path
    artifacts_dir: Path
    records_dir: Path
    index_file: Path
    models_dir: Path
    cache_dir: Path
    starter_dir: Path
    log_dir: Path
    run_dir: Path

    @classmethod
    def of(cls, user: str = LOCAL_USER) -> Place:
        """The folders of a user on this system; makes none of them.

        Raises:
            OutsideFolder: the user id would lead out of its folder.
        """
        import platformdirs

        if not _USER.fullmatch(user):
            raise OutsideFolder(path=user, folder="users")
        dirs = platformdirs.PlatformDirs(APPLICATION, appauthor=False)
        data_dir = dirs.user_data_path / "users" / user
        return cls(
            user=user,
            config_dir=dirs.user_config_path,
            config_file=dirs.user_config_path / "config.yaml",
            data_dir=data_dir,
            sessions_dir=data_dir / "sessions",
            bin_dir=data_dir / "bin",
            artifacts_dir=data_dir / "artifacts",
            records_dir=data_dir / "records",
            index_file=data_dir / "index.db",
            models_dir=dirs.user_data_path / "models",
            cache_dir=dirs.user_cache_path,
            starter_dir=dirs.user_cache_path / "models",
            log_dir=dirs.user_state_path / "logs",
            run_dir=_run_dir(user, data_dir),
        )

    @property
    def engines_dir(self) -> Path:
        """Installed builds of the engine, shared between users; it may not be there."""
        return self.models_dir.with_name("engines")

    def prepare(self) -> None:
        """Make the folders, open to their owner alone, and try whether data can be written.

        Raises:
            DiskFull: the data folder's disk has no room.
            FolderUnwritable: a folder cannot be made or written, or belongs to someone else.
        """
        for folder in (
            self.config_dir,
            *reversed(self.data_dir.parents[:2]),
            self.data_dir,
            self.sessions_dir,
            self.bin_dir,
            self.artifacts_dir,
            self.records_dir,
            self.cache_dir,
            self.starter_dir,
            self.log_dir,
        ):
            make_folder(folder)
        if not self.models_dir.is_symlink():  # that one may lead to a disk that is not there now
            make_folder(self.models_dir)
        make_private(self.run_dir)
        try:
            with tempfile.TemporaryFile(dir=self.data_dir, buffering=0) as file:
                file.write(bytes(PROBE_BYTES))
        except OSError as error:
            raise storage_error(self.data_dir, error) from error


def make_folder(folder: Path) -> None:
    """Make a folder with all above it, open to its owner alone, where there is none.

    Raises:
        DiskFull: there is no room.
        FolderUnwritable: it cannot be made.
    """
    try:
        folder.mkdir(mode=OWNER_ONLY, parents=True, exist_ok=True)
    except OSError as error:
        failure = storage_error(folder, error)
        if isinstance(failure, DiskFull):
            raise failure from error
        raise FolderUnwritable(path=folder, detail=error.strerror or str(error)) from error


def make_private(folder: Path) -> None:
    """Make a folder that its owner alone may enter.

    Raises:
        DiskFull: there is no room.
        FolderUnwritable: it cannot be made, or belongs to someone else.
    """
    make_folder(folder)
    _own(folder)


def _run_dir(user: str, data_dir: Path) -> Path:
    name = APPLICATION if user == LOCAL_USER else f"{APPLICATION}-{user}"
    given = Path(os.environ.get("XDG_RUNTIME_DIR", ""))
    # After su it may name another user's.
    usable = given.is_absolute() and os.access(given, os.W_OK | os.X_OK)
    if usable and len(os.fsencode(given / name)) <= RUN_PATH_BYTES:
        return given / name
    digest = hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:8]
    short = Path(tempfile.gettempdir()) / f"{APPLICATION}-{digest}"
    if len(os.fsencode(short)) <= RUN_PATH_BYTES or os.name == "nt":
        return short
    return Path("/tmp") / f"{APPLICATION}-{digest}"  # noqa: S108 - made 0700 and checked in _own


def _own(folder: Path) -> None:
    """Take care that nobody else put this folder or a link in its place, and close it to others."""
    if os.name == "nt":
        return
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise FolderUnwritable(path=folder, detail="it belongs to someone else")
    if stat.S_IMODE(found.st_mode) != OWNER_ONLY:
        folder.chmod(OWNER_ONLY)
