"""Where settings come from: bounded YAML files, the environment, command line flags."""

from __future__ import annotations

import io
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rony_desktop.contract.error import ConfigUnreadable

if TYPE_CHECKING:
    from ruamel.yaml import YAML

PREFIX = "RONY_"
DIVIDER = "__"
# Ten times any real file; a parser in pure Python takes a second for it.
LIMIT_BYTES = 100_000
NEVER_FOLD = 10_000


@dataclass(frozen=True, slots=True)
class Source:
    """One level of settings: its name, the folder its relative paths start from, its values."""

    name: str
    folder: Path
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Loose:
    """A value of the environment: as YAML reads it, and the text for where that is wrong."""

    value: object
    text: str


def read_file(file: Path) -> Source:
    """The settings in a YAML file; none where there is no such file.

    Raises:
        ConfigUnreadable: it is no readable, plain YAML mapping.
    """
    text = read_text(file)
    values = parse(text, str(file)) if text.strip() else None
    if values is None:
        values = {}
    if not isinstance(values, dict):
        where = f"expected keys with values, found a {type(values).__name__}"
        raise ConfigUnreadable(file=file, where=where)
    return Source(str(file), file.parent, values)


def read_text(file: Path) -> str:
    """The text of a settings file; empty where there is no such file.

    Raises:
        ConfigUnreadable: no regular file, too large, not UTF-8, or refused by the system.
    """
    try:
        found = file.stat()
        if not stat.S_ISREG(found.st_mode):  # reading a pipe would wait for ever
            raise ConfigUnreadable(file=file, where="it is not a file")
        if found.st_size > LIMIT_BYTES:
            raise ConfigUnreadable(file=file, where=f"it is larger than {LIMIT_BYTES} bytes")
        return file.read_bytes()[: LIMIT_BYTES + 1].decode("utf-8-sig")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise ConfigUnreadable(file=file, where="it is not UTF-8 text") from error
    except OSError as error:
        raise ConfigUnreadable(file=file, where=error.strerror or str(error)) from error


def read_environment(environment: Mapping[str, str], folder: Path) -> Source:
    """The settings in RONY_SECTION__KEY variables; each value is read as YAML."""
    values: dict[str, Any] = {}
    for name in sorted(environment):
        if name.upper().startswith(PREFIX):
            keys = name[len(PREFIX) :].lower().split(DIVIDER)
            text = environment[name]
            try:
                value = parse(text, name)
            except ConfigUnreadable:
                value = text
            put(values, keys, value if isinstance(value, dict) else Loose(value, text))
    return Source("environment", folder, values)


def read_flags(flags: Mapping[tuple[str, ...], object], folder: Path) -> Source:
    """The settings given on the command line; None is not given."""
    values: dict[str, Any] = {}
    for keys, value in flags.items():
        if value is not None:
            put(values, keys, value)
    return Source("command line", folder, values)


def put(values: Any, keys: Sequence[str], value: object) -> None:
    """Set a value in nested mappings, made where they are missing; None removes it."""
    *outer, last = keys
    for key in outer:
        inner = values.get(key)
        if not isinstance(inner, dict):
            inner = values[key] = {}
        values = inner
    if value is None:
        values.pop(last, None)
    else:
        values[last] = value


def parse(text: str, name: str, kind: Literal["safe", "rt"] = "safe") -> Any:
    """What a YAML text says; kind "rt" keeps its comments for writing it back with dump().

    Aliases are refused: nested ones grow without bound.

    Raises:
        ConfigUnreadable: it is no plain YAML; where names line and column.
    """
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        return _yaml(kind).load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        problem = str(error.problem).partition(" with value")[0]  # which may be a secret
        raise ConfigUnreadable(file=name, where=f"{where}{problem}") from error
    except (YAMLError, ValueError, RecursionError) as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise ConfigUnreadable(file=name, where=reason) from error


def dump(values: object) -> str:
    """YAML text of what parse(kind="rt") gave."""
    stream = io.StringIO()
    _yaml("rt").dump(values, stream)
    return stream.getvalue()


def _yaml(kind: str) -> YAML:
    from ruamel.yaml import YAML
    from ruamel.yaml.composer import Composer, ComposerError
    from ruamel.yaml.events import AliasEvent

    class PlainComposer(Composer):
        def compose_node(self, parent: object, index: object) -> object:
            if self.parser.check_event(AliasEvent):
                mark = self.parser.peek_event().start_mark
                raise ComposerError(None, None, "aliases are not supported", mark)
            return super().compose_node(parent, index)

    yaml = YAML(typ=kind, pure=True)
    yaml.Composer = PlainComposer
    yaml.preserve_quotes = True
    yaml.width = NEVER_FOLD
    return yaml
