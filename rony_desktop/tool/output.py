"""What the model is shown of a result: without secrets, short, and marked as words of others."""

from __future__ import annotations

import asyncio
import re
import secrets
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace

from rony_desktop.contract.error import StorageError, ToolArgumentsError
from rony_desktop.contract.message import ToolCall, ToolResult
from rony_desktop.contract.port import ResultStore
from rony_desktop.contract.tool_spec import ToolSpec
from rony_desktop.tool.redaction import redacted
from rony_desktop.tool.schema import arguments_of

TAG = "untrusted_content"
LONGEST_SOURCE = 100
LONGEST_ERROR = 1_000
NOTE_BYTES = 80

_WRAPPED = re.compile(rf'\A<{TAG} id="([0-9a-f]+)" source="[^"]*">\n(.*)\n</{TAG} \1>', re.DOTALL)
# Everything that looks like the start of a tag, in any script.
_BRACKET = re.compile("[<\u00ab\u02c2\u1438\u2039\u2329\u276c\u276e\u27e8\u3008\u300a\ufe64\uff1c]")
_LETTERS = TAG.replace("_", "")


@dataclass(frozen=True, slots=True)
class Output:
    """Prepares results. Sizes are in bytes of UTF-8; without a store long results are cut."""

    results: ResultStore | None
    inline_limit: int
    max_bytes: int

    async def prepare(self, call: ToolCall, spec: ToolSpec, result: ToolResult) -> ToolResult:
        """What goes to the model and into the session instead of this result."""
        text, size = await asyncio.to_thread(_cleaned, result.content)
        limit = self.max_bytes
        if size > self.inline_limit and not spec.inline:
            limit = min(limit, self.inline_limit) if result.is_error else limit
            if self.results and not result.is_error:
                text, limit = await self._stored(self.results, call, text)
        content = await asyncio.to_thread(_shown, call, spec, text, limit)
        return replace(result, content=content)

    def refusal(self, text: str) -> ToolResult:
        """An error in words of our own."""
        return ToolResult(redacted(text[: 4 * LONGEST_ERROR])[:LONGEST_ERROR], is_error=True)

    async def _stored(self, results: ResultStore, call: ToolCall, text: str) -> tuple[str, int]:
        try:
            return await results.put(call, text), self.max_bytes
        except StorageError:
            # The tool has run: its answer is worth more in short than not at all.
            return text, min(self.inline_limit, self.max_bytes)


def wrap(text: str, source: str, limit: int) -> str:
    """Words of others in limit bytes, marked so; no text can end the mark, its tag is random."""
    head, tail = _marks(source)
    room = limit - len(head.encode()) - len(tail.encode())
    return head + _neutral(_cut(text, room)) + tail


def unwrapped(text: str) -> str:
    """The same for people: without the marks."""
    return _WRAPPED.sub(lambda match: match[2], text, count=1)


def _cleaned(text: str) -> tuple[str, int]:
    text = redacted(text)
    return text, len(text.encode())


def _shown(call: ToolCall, spec: ToolSpec, text: str, limit: int) -> str:
    return wrap(text, _source(call, spec), limit) if spec.external else _cut(text, limit)


def _cut(text: str, limit: int) -> str:
    """At most limit bytes; where some are cut, a line says how many."""
    data = text.encode()
    if len(data) <= limit:
        return text
    kept = data[: max(0, limit - NOTE_BYTES)].decode("utf-8", "ignore")
    return f"{kept}\n[{len(data) - len(kept.encode())} of {len(data)} bytes are left out here]"


def _marks(source: str) -> tuple[str, str]:
    tag = secrets.token_hex(4)
    plain = "".join(c if c.isprintable() and c not in '"<>&' else "_" for c in source)
    return f'<{TAG} id="{tag}" source="{plain[:LONGEST_SOURCE]}">\n', f"\n</{TAG} {tag}>"


def _source(call: ToolCall, spec: ToolSpec) -> str:
    try:
        arguments = arguments_of(call)
    except ToolArgumentsError:
        return call.name
    paths = (arguments.get(name) for name in spec.paths)
    return " ".join((call.name, *(path for path in paths if isinstance(path, str))))


def _neutral(text: str) -> str:
    """The text with "[" for the bracket of whatever reads like our tag; it never grows."""
    return "".join(_neutral_parts(text))


def _neutral_parts(text: str) -> Iterator[str]:
    done = 0
    for bracket in _BRACKET.finditer(text):
        near = unicodedata.normalize("NFKC", text[bracket.end() : bracket.end() + 64])
        letters = "".join(filter(str.isalpha, near)).casefold()
        if letters.startswith(_LETTERS):
            yield text[done : bracket.start()]
            yield "["
            done = bracket.end()
    yield text[done:]
