"""The configuration: flags over environment over rony.yaml over config.yaml over defaults."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rony_desktop.contract.config import Config
from rony_desktop.contract.error import (
    ConfigError,
    ConfigUnreadable,
    Failure,
    WorkspaceConfigIgnored,
)
from rony_desktop.store.atomic import storage_error, write_atomic
from rony_desktop.store.config_check import check, is_known, known_keys, split_key, unknown_key
from rony_desktop.store.config_source import (
    Source,
    dump,
    parse,
    put,
    read_environment,
    read_file,
    read_flags,
    read_text,
)

WORKSPACE_FILE = "rony.yaml"
# What a folder's own file may set, for whoever made the folder wrote it.
WORKSPACE_KEYS = ("model", "persona", "app")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A configuration that always works, what was wrong on the way, and where each value is from.

    sources maps dotted keys to "default", a file, "environment" or "command line".
    """

    config: Config
    notices: tuple[Failure, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)


class YamlConfigLoader:
    """Reads every level, and writes the user's config.yaml with its comments kept.

    Nothing wrong in a level stops the program: each wrong value is reported, and the next lower
    level's counts. flags are dotted keys. Blocking: call it in a thread once a window is open.
    """

    def __init__(
        self,
        file: Path,
        *,
        environment: Mapping[str, str] | None = None,
        flags: Mapping[str, object] | None = None,
    ) -> None:
        self._file = file
        self._environment = os.environ if environment is None else environment
        self._flags = {split_key(key): value for key, value in (flags or {}).items()}
        self._saving = threading.Lock()

    def load(self, folder: Path | None) -> Config:
        """Merge every level; the rony.yaml of folder does not count: nobody said to trust it."""
        return self.read(folder).config

    def read(
        self, folder: Path | None, *, trust: bool = False, trusted: str | None = None
    ) -> Loaded:
        """Merge every level; folder is the workspace, whose rony.yaml counts with trust.

        trusted is the text the user saw and trusted; it counts in the file's place.
        """
        notices: list[Failure] = []
        here = _here()
        values: dict[str, Any] = {}
        origins = {".".join(keys): "default" for keys in known_keys()}
        for source in (
            _read(self._file, notices),
            _read_workspace(folder, notices, trust=trust, trusted=trusted),
            read_environment(self._environment, here),
            read_flags(self._flags, here),
        ):
            for found in check(source):
                if isinstance(found, ConfigError):
                    notices.append(found.failure())
                    continue
                keys, value = found
                put(values, keys, value)
                origins[".".join(keys)] = source.name
        return Loaded(Config.model_validate(values), tuple(notices), origins)

    def save(self, changes: Mapping[str, object]) -> None:
        """Write dotted keys to config.yaml, comments kept; None removes a key.

        Raises:
            ConfigValue: a key is unknown or a value wrong; nothing was written.
            ConfigUnreadable: the file cannot be read, so it is not written over.
            StorageError: it cannot be written.
        """
        for key, value in changes.items():
            self._prove(key, value)
        with self._saving:
            values = self._read_for_saving()
            for key, value in changes.items():
                put(values, split_key(key), str(value) if isinstance(value, Path) else value)
            try:
                self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            except OSError as error:
                raise storage_error(self._file, error) from error
            write_atomic(self._file, dump(values) if values else "")

    def _prove(self, key: str, value: object) -> None:
        keys = split_key(key)
        file = str(self._file)
        if not is_known(keys):
            raise unknown_key(key, file, (".".join(known) for known in known_keys()))
        values: dict[str, Any] = {}
        put(values, keys, value)
        for found in check(Source(file, self._file.parent, values)):
            if isinstance(found, ConfigError):
                raise found

    def _read_for_saving(self) -> Any:
        text = read_text(self._file)
        values = parse(text, str(self._file), "rt") if text.strip() else {}
        if not isinstance(values, dict):
            raise ConfigUnreadable(file=self._file, where="expected keys with values")
        return values


def _here() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError:  # the current folder was deleted
        return Path.home()


def _read(file: Path, notices: list[Failure]) -> Source:
    try:
        return read_file(file)
    except ConfigUnreadable as error:
        notices.append(error.failure())
        return Source(str(file), file.parent)


def _parsed(file: Path, text: str, notices: list[Failure]) -> Source:
    try:
        values = parse(text, str(file)) if text.strip() else {}
    except ConfigUnreadable as error:
        notices.append(error.failure())
        values = {}
    return Source(str(file), file.parent, values if isinstance(values, dict) else {})


def _read_workspace(
    folder: Path | None, notices: list[Failure], *, trust: bool, trusted: str | None
) -> Source:
    if folder is None:
        return Source("", Path())
    file = folder.absolute() / WORKSPACE_FILE
    if not trust and trusted is None:
        if file.exists():
            notices.append(WorkspaceConfigIgnored(file=file).failure())
        return Source(str(file), file.parent)
    source = _read(file, notices) if trusted is None else _parsed(file, trusted, notices)
    refused = [key for key in source.values if key not in WORKSPACE_KEYS]
    notices += [unknown_key(str(key), source.name, WORKSPACE_KEYS).failure() for key in refused]
    allowed = {key: value for key, value in source.values.items() if key in WORKSPACE_KEYS}
    return replace(source, values=allowed)
