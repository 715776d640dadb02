"""Reads what a model wrote as JSON: strictly at its end, and its final text as it comes.

A reply in the envelope is one object, {"tool": name, "args": {...}} or {"final": text}, and nothing
else. What is not exactly that is refused with a reason the model can act on; nothing is guessed.
"""

from __future__ import annotations

import asyncio
import json
import math
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from io import StringIO
from typing import Any, NoReturn, TypeVar

from rony_desktop.contract.error import ToolReplyError
from rony_desktop.contract.message import ToolCall

T = TypeVar("T")

# Above this many characters JSON is read in a thread.
THREAD_ABOVE = 65_536
SHOWN = 60
SHOWN_KEYS = 3
HEAD_LIMIT = 1_000
# Both stand at the very start of a reply; what is written in another way is read at its end only.
_FINAL = re.compile(r'\s*\{\s*"final"\s*:\s*"')
_CALL = re.compile(r'\s*\{\s*"tool"\s*:\s*"([A-Za-z0-9_-]+)"\s*,\s*"args"\s*:')
_PLAIN = re.compile(r'[^"\\\x00-\x1f]+')
_ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})')
_HIGH = re.compile(r"\\u[dD][89abAB][0-9A-Fa-f]{2}")
_LOW = re.compile(r"\\u[dD][c-fC-F][0-9A-Fa-f]{2}")
_ESCAPE_LENGTH = len("\\u0000")
_LONE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Final:
    """An answer to the user."""

    text: str


async def aside(read: Callable[[str], T], text: str) -> T:
    """Read a text, in a thread where it is long."""
    if len(text) > THREAD_ABOVE:
        return await asyncio.to_thread(read, text)
    return read(text)


def parse_tool_call(text: str) -> ToolCall | Final:
    """Read a whole reply in the envelope; the call gets a new id.

    Raises:
        ToolReplyError: it is neither a call nor a final answer.
    """
    said = parse_object(text)
    match said:
        case {"final": str(final), **rest} if not rest:
            return Final(_LONE.sub("\ufffd", final))
        case {"tool": str(name), "args": dict(args), **rest} if not rest:
            text = json.dumps(args, ensure_ascii=False)
            # Half of a surrogate pair can be written as an escape alone.
            exact = json.dumps(args) if _LONE.search(text) else text
            return ToolCall(secrets.token_hex(8), _LONE.sub("\ufffd", name), exact)
    raise _error(_misfit(said))


def parse_object(text: str) -> dict[str, Any]:
    """Read one JSON object and nothing else; no duplicate keys, no numbers that are none.

    Raises:
        ToolReplyError: it is anything else.
    """
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_constant=_constant, parse_float=_float
        )
    except json.JSONDecodeError as error:
        detail = "there is more behind the object" if error.msg == "Extra data" else error.msg
        raise _error(f"{detail} at character {error.pos + 1}, near {_near(error)}") from error
    except RecursionError as error:
        raise _error("it is nested too deeply") from error
    except ValueError as error:
        raise _error("a number is too long") from error
    if not isinstance(value, dict):
        _refuse("it is no JSON object")
    return value


def canonical(arguments: str) -> str:
    """The arguments of a call as the text that equal arguments share, however they are written.

    Raises:
        ToolReplyError: they are no JSON object.
    """
    return json.dumps(parse_object(arguments), sort_keys=True, separators=(",", ":"))


class ReplyReader:
    """Follows a reply in the envelope while it is written.

    text is what came of its final answer; call, where it is one, the name of its tool and the
    characters of its arguments so far. What is not strict JSON is not shown from there on.
    """

    def __init__(self) -> None:
        self._head = ""
        self._rest: str | None = None
        self._over = False
        self._text = StringIO()
        self.call: tuple[str, int] | None = None

    @property
    def text(self) -> str:
        """The final answer so far."""
        return self._text.getvalue()

    def feed(self, piece: str) -> str:
        """Take the next characters in and return what they add to the final answer."""
        if self.call:
            self.call = self.call[0], self.call[1] + len(piece)
        elif self._rest is not None:
            return self._read(piece)
        elif not self._over:
            return self._begin(piece)
        return ""

    def _begin(self, piece: str) -> str:
        self._head += piece
        if found := _FINAL.match(self._head):
            self._rest = ""
            return self._read(self._head[found.end() :])
        if found := _CALL.match(self._head):
            self.call = found[1], len(self._head) - found.end()
        self._over = len(self._head) > HEAD_LIMIT
        return ""

    def _read(self, piece: str) -> str:
        """Decode up to the closing quote; an escape that is not whole yet waits."""
        if self._over or self._rest is None:
            return ""
        raw, place, found = self._rest + piece, 0, list[str]()
        while place < len(raw):
            if plain := _PLAIN.match(raw, place):
                found.append(plain[0])
                place = plain.end()
                continue
            text, end = _escape(raw, place)
            if not end:
                self._over = raw[place] != "\\" or len(raw) - place >= 2 * _ESCAPE_LENGTH
                break
            found.append(text)
            place = end
        self._rest = raw[place:]
        new = _LONE.sub("\ufffd", "".join(found))
        self._text.write(new)
        return new


def _escape(raw: str, place: int) -> tuple[str, int]:
    """Decode the escape at place and say where it ends, 0 where it is not whole, or is none.

    Half of a surrogate pair waits for what follows it.
    """
    found = _ESCAPE.match(raw, place)
    if not found:
        return "", 0
    end = found.end()
    if _HIGH.match(raw, place):
        if low := _LOW.match(raw, end):
            end = low.end()
        elif _LOW.match((raw[end:] + "\\udc00"[len(raw) - end :])[:_ESCAPE_LENGTH]):
            return "", 0
    return json.loads(f'"{raw[place:end]}"'), end


def _misfit(said: dict[str, Any]) -> str:
    if ("final" in said) == ("tool" in said):
        return f'it has {"both" if "tool" in said else "neither"} of "tool" and "final"'
    if not isinstance(said.get("final", ""), str):
        return '"final" is no text'
    if not isinstance(said.get("tool", ""), str):
        return '"tool" is no text'
    if "tool" in said and not isinstance(said.get("args"), dict):
        return '"args" is missing, or no object'
    others = (json.dumps(name[:SHOWN]) for name in said if name not in ("final", "tool", "args"))
    return f"it has keys that do not belong: {', '.join(list(others)[:SHOWN_KEYS]) or 'args'}"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, value in pairs:
        if name in made:
            _refuse(f"the key {json.dumps(name[:SHOWN])} is there twice")
        made[name] = value
    return made


def _constant(name: str) -> NoReturn:
    _refuse(f"{name} is no number in JSON")


def _float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        _refuse(f"the number {text[:SHOWN]} is too large")
    return number


def _near(error: json.JSONDecodeError) -> str:
    start = max(0, error.pos - SHOWN // 2)
    return json.dumps(error.doc[start : start + SHOWN], ensure_ascii=False)


def _error(detail: str) -> ToolReplyError:
    return ToolReplyError(detail=detail)


def _refuse(detail: str) -> NoReturn:
    raise _error(detail)
