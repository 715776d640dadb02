"""Settings checked value by value, so that one wrong value costs nothing but itself."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args, get_origin

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from rony_desktop.contract.config import Config, Section
from rony_desktop.contract.error import ConfigValue
from rony_desktop.redact import MARK, redact
from rony_desktop.store.config_source import Loose, Source

Keys = tuple[str, ...]
Found = tuple[Keys, object] | ConfigValue
SHOWN_CHARS = 60
_SECRET = re.compile(r"(?i)key|token|secret|passw|credential")
_LEAD = re.compile(r"^Input (?:should be|is not) ")


def check(source: Source) -> Iterator[Found]:
    """Every value of a source with its keys, and a ConfigValue in the place of each wrong one.

    What is empty counts as not given. Relative paths start from the source's folder.
    """
    yield from _check_section(Config, source, (), source.values)


def known_keys(kind: type[Section] = Config, at: Keys = ()) -> Iterator[Keys]:
    """The keys of every setting."""
    return (keys for keys, _ in _settings(kind, at))


def split_key(key: str) -> Keys:
    """The parts of a dotted key; a name inside a mapping (a tool's) keeps its dots.

    Where a mapping holds sections (agents) their keys come after the name's first dot.
    """
    for known, field in _settings():
        start = ".".join(known) + "."
        if key.startswith(start):
            rest = key.removeprefix(start)
            return (*known, *(rest.split(".") if _mapped_section(field) else (rest,)))
    return tuple(key.split("."))


def is_known(keys: Keys) -> bool:
    """Whether these are the keys of a setting, or of a name inside a mapping."""
    return any(
        keys[: len(known)] == known and _ends_there(keys[len(known) :], field)
        for known, field in _settings()
    )


def unknown_key(key: str, file: str, known: Iterable[str]) -> ConfigValue:
    """The error for a key that does not exist; its value is not shown, it may be a secret."""
    names = sorted(known)
    close = difflib.get_close_matches(key.rpartition(".")[2], names, 1)
    expected = "one of: " + ", ".join([*close, *(name for name in names if name not in close)])
    return ConfigValue(key=key, file=file, value="set, and there is no such key", expected=expected)


def _check_section(
    kind: type[Section], source: Source, at: Keys, values: Mapping[Any, Any]
) -> Iterator[Found]:
    for name, value in values.items():
        keys = (*at, str(name))
        field = kind.model_fields.get(str(name))
        if field is None:
            yield unknown_key(".".join(keys), source.name, kind.model_fields)
        elif _is_empty(value):
            continue
        elif inner := _section_of(field):
            yield from _check_inner(inner, source, keys, value)
        elif inner := _mapped_section(field):
            yield from _check_named(inner, source, keys, value)
        elif get_origin(field.annotation) is dict:
            yield from _check_mapping(kind, source, keys, value)
        else:
            yield _check_value(kind, source, keys, value)


def _check_inner(kind: type[Section], source: Source, keys: Keys, value: object) -> Iterator[Found]:
    if isinstance(value, Mapping):
        yield from _check_section(kind, source, keys, value)
    else:
        yield _wrong(keys, source, value, "keys: " + ", ".join(kind.model_fields))


def _check_named(kind: type[Section], source: Source, keys: Keys, value: object) -> Iterator[Found]:
    """Sections under names of the user's choice."""
    if not isinstance(value, Mapping):
        yield _wrong(keys, source, value, "names with keys")
        return
    for name, item in value.items():
        if not _is_empty(item):
            yield from _check_inner(kind, source, (*keys, str(name)), item)


def _check_mapping(
    kind: type[Section], source: Source, keys: Keys, value: object
) -> Iterator[Found]:
    if not isinstance(value, Mapping):
        yield _wrong(keys, source, value, "names with values")
        return
    for name, item in value.items():
        try:
            found = _validated(kind, keys[-1], {str(name): _plain(item)})
        except ValidationError as error:
            yield _wrong((*keys, str(name)), source, item, _expected(error))
        else:
            yield (*keys, str(name)), found[str(name)]


def _check_value(kind: type[Section], source: Source, keys: Keys, value: object) -> Found:
    plain = _plain(value)
    if isinstance(plain, bool):  # no setting is a switch yet, and pydantic takes true for 1
        plain = object()
    try:
        found = _validated(kind, keys[-1], plain)
    except ValidationError as error:
        if isinstance(value, Loose):
            return _check_value(kind, source, keys, value.text)
        return _wrong(keys, source, value, _expected(error))
    if isinstance(found, tuple):
        return _resolved_each(source, keys, found)
    return _resolved(source, keys, found) if isinstance(found, Path) else (keys, found)


def _resolved_each(source: Source, keys: Keys, items: tuple[object, ...]) -> Found:
    """A list, every path in it resolved; the first wrong one is the error."""
    whole: list[object] = []
    for item in items:
        found = _resolved(source, keys, item) if isinstance(item, Path) else (keys, item)
        if isinstance(found, ConfigValue):
            return found
        whole.append(found[1])
    return keys, tuple(whole)


def _resolved(source: Source, keys: Keys, path: Path) -> Found:
    wrong = _wrong(keys, source, path, "a path")
    if "\0" in str(path):
        return wrong
    try:
        return keys, source.folder / path.expanduser()
    except RuntimeError:  # the home of a user who is not there
        return wrong


def _validated(kind: type[Section], name: str, value: object) -> Any:
    return getattr(kind.model_validate({name: value}), name)


def _plain(value: object) -> object:
    return value.value if isinstance(value, Loose) else value


def _is_empty(value: object) -> bool:
    return _plain(value) is None or value == ""


def _settings(kind: type[Section] = Config, at: Keys = ()) -> Iterator[tuple[Keys, FieldInfo]]:
    for name, field in kind.model_fields.items():
        if inner := _section_of(field):
            yield from _settings(inner, (*at, name))
        else:
            yield (*at, name), field


def _ends_there(rest: Keys, field: FieldInfo) -> bool:
    inner = _mapped_section(field)
    if inner and len(rest) > 1:
        return rest[1:] in known_keys(inner)
    return not rest or (len(rest) == 1 and get_origin(field.annotation) is dict)


def _mapped_section(field: FieldInfo) -> type[Section] | None:
    """The kind of section a mapping holds by name; None where it holds values."""
    kind = get_args(field.annotation)[-1:] if get_origin(field.annotation) is dict else ()
    return kind[0] if kind and issubclass(kind[0], Section) else None


def _section_of(field: FieldInfo) -> type[Section] | None:
    kind = field.annotation
    return kind if isinstance(kind, type) and issubclass(kind, Section) else None


def _expected(error: ValidationError) -> str:
    message = _LEAD.sub("", error.errors(include_url=False)[0]["msg"]).partition(", unable")[0]
    return message.partition(" for <")[0].replace("valid tuple", "list")


def _wrong(keys: Keys, source: Source, value: object, expected: str) -> ConfigValue:
    key = ".".join(keys)
    return ConfigValue(key=key, file=source.name, value=_shown(key, value), expected=expected)


def _shown(key: str, value: object) -> str:
    """A value in a message: short, and never a secret."""
    if _SECRET.search(key.rpartition(".")[2]):
        return MARK
    if isinstance(value, Mapping):
        return "a group of keys"
    if isinstance(value, list):
        return "a list"
    text = value.text if isinstance(value, Loose) else str(value)
    return redact(f"{key}={text}").partition("=")[2][:SHOWN_CHARS]
