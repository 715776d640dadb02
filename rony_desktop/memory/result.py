"""Large tool results, kept aside; a small reference stands for each in the conversation."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable
from typing import Any

from rony_desktop.contract.message import ToolCall
from rony_desktop.contract.port import ArtifactStore
from rony_desktop.log import EventTag, log_event

HEAD_BYTES = 1024
TAIL_BYTES = 512
SHAPE_BYTES = 1536
# Read as JSON, text takes ten times its memory.
JSON_LIMIT = 8_000_000
DEPTH = 4
KEYS = 24
KEY_CHARACTERS = 40
# Characters that JSON writes longer may make a preview so much larger.
GROWTH = 1.3
BYTES_PER_TOKEN = 4
HOW = "read_output(ref, offset, limit) or search_output(ref, pattern)"


class ArtifactResultStore:
    """The ResultStore over an ArtifactStore: a result is an artefact of UTF-8 text."""

    def __init__(self, artifacts: ArtifactStore) -> None:
        self._artifacts = artifacts

    async def put(self, call: ToolCall, content: str) -> str:
        """Keep a result; return the JSON, below 2.5 KB, that tells the model how to read it."""
        data, summary = await asyncio.to_thread(_summed_up, content)
        kept = await self._artifacts.put(data, call.name, summary["mime"])
        log_event(
            EventTag.TOOL_RESULT_STORED, tool=call.name, tokens=summary["tokens"], detail=kept.id
        )
        return _json({"ref": kept.id, "tool": call.name, **summary, "how": HOW})

    async def load(self, id: str) -> str:
        """The text of a result.

        Raises:
            ResultMissing: there is none of this id (any more).
            StorageError: it cannot be read.
        """
        data = await self._artifacts.load(id)
        return await asyncio.to_thread(data.decode, "utf-8", "replace")

    async def delete(self, id: str) -> None:
        """Delete a result; what is not there needs nothing."""
        await self._artifacts.delete(id)


def _summed_up(content: str) -> tuple[bytes, dict[str, Any]]:
    """The bytes to keep and what the model is told of them."""
    data = content.encode("utf-8", "replace")
    shape = _shape(content)
    preview = {"shape": shape} if shape is not None else _preview(content)
    return data, {
        "bytes": len(data),
        "lines": content.count("\n") + (not content.endswith("\n")),
        "tokens": len(data) // BYTES_PER_TOKEN,
        "sha256": hashlib.sha256(data).hexdigest(),
        "mime": "text/plain" if shape is None else "application/json",
        **preview,
    }


def _preview(content: str) -> dict[str, str]:
    return {
        "head": _fitting(lambda limit: _head(content, limit), HEAD_BYTES),
        "tail": _fitting(lambda limit: _tail(content, limit), TAIL_BYTES),
    }


def _fitting(cut: Callable[[int], str], limit: int) -> str:
    """A cut whose JSON is about as long as the limit: control characters take six times theirs."""
    size = limit
    while len(_json(cut(size)).encode()) > limit * GROWTH:
        size //= 2
    return cut(size)


def _head(content: str, limit: int) -> str:
    """The beginning in at most limit bytes, to the end of a line where there is one."""
    text = content[:limit].encode("utf-8", "replace")[:limit].decode("utf-8", "ignore")
    return text[: text.rfind("\n") + 1] or text


def _tail(content: str, limit: int) -> str:
    """The end in at most limit bytes, from the beginning of a line where there is one."""
    text = content[-limit:].encode("utf-8", "replace")[-limit:].decode("utf-8", "ignore")
    return text[text.find("\n", 0, -1) + 1 :]


def _shape(content: str) -> Any:
    """Keys and lengths of a JSON object or array, as deep as there is room; None for other text."""
    if len(content) > JSON_LIMIT or content.lstrip()[:1] not in ("{", "["):
        return None
    try:
        value = json.loads(content, object_pairs_hook=_object, parse_int=_zero, parse_float=_zero)
        outlines = (_outline(value, depth) for depth in range(DEPTH, -1, -1))
        return next(o for o in outlines if len(_json(o).encode()) <= SHAPE_BYTES)
    except (ValueError, RecursionError):
        return None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A hook in Python, so that reading megabytes lets other threads run in between."""
    return dict(pairs)


def _zero(_: str) -> int:
    return 0


def _outline(value: object, depth: int) -> Any:
    match value:
        case dict() | list() if depth == 0 or not value:
            return f"{'object' if isinstance(value, dict) else 'array'} of {len(value)}"
        case dict():
            names = list(value)[:KEYS]
            told = {name[:KEY_CHARACTERS]: _outline(value[name], depth - 1) for name in names}
            return told if len(names) == len(value) else {**told, "…": f"{len(value)} keys in all"}
        case list():
            return {f"array of {len(value)}, the first": _outline(value[0], depth - 1)}
        case str():
            return f"text of {len(value)}"
        case bool() | None:
            return json.dumps(value)
        case _:
            return "number"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
