"""This chat's own messages, for when the history the model sees was shortened."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from rony_desktop.contract.error import ToolArgumentsError
from rony_desktop.contract.message import Message, ToolResult
from rony_desktop.contract.session import Session
from rony_desktop.contract.tool import Permission
from rony_desktop.contract.tool_spec import ToolContext, ToolSpec
from rony_desktop.tool.builtin.page import PLACE, Place, page, room_of
from rony_desktop.tool.builtin.parameter import TEXT, parameters

NEWEST = 20
_HEAD_CHARS = 80


def session_tools(inline_limit: int) -> tuple[ToolSpec, ...]:
    """load_message and list_messages; results stay below inline_limit bytes.

    External, though the chat is the user's own: a page of a tool's result may hold words of others
    without the wrapper they were given in.
    """
    room = room_of(inline_limit)

    async def load(context: ToolContext, arguments: Mapping[str, Any]) -> ToolResult:
        text = _text(_message(context.session, arguments["id"]))
        return ToolResult(await asyncio.to_thread(page, text, Place.of(arguments), room))

    async def list_(context: ToolContext, arguments: Mapping[str, Any]) -> ToolResult:
        query = arguments.get("query", "")
        return ToolResult(await asyncio.to_thread(_list, context.session, query, room))

    return (
        ToolSpec(
            "load_message",
            "Read an earlier message of this chat by its id.",
            parameters({"id": TEXT, **PLACE}, "id"),
            load,
            Permission.ALLOW,
            inline=True,
        ),
        ToolSpec(
            "list_messages",
            "List the newest messages of this chat, or those that hold a text.",
            parameters({"query": TEXT}),
            list_,
            Permission.ALLOW,
            inline=True,
        ),
    )


def _message(session: Session, id: str) -> Message:
    found = (entry.message for entry in session.messages if entry.message.id == id)
    message = next(found, None)
    if message is None:
        detail = f"no message of this chat has the id {id!r}; list_messages shows them"
        raise ToolArgumentsError(name="load_message", detail=detail)
    return message


def _text(message: Message) -> str:
    result = message.tool_result
    content = message.content or (result.content if result else "")
    calls = [f"[called {call.name} {call.arguments}]" for call in message.tool_calls]
    return "\n".join([content, *calls] if content else calls)


def _list(session: Session, query: str, room: int) -> str:
    wanted = query.casefold()
    texts = ((entry.message, _text(entry.message)) for entry in session.messages)
    found = [(message, text) for message, text in texts if wanted in text.casefold()]
    rows: list[str] = []
    for message, text in found[: -NEWEST - 1 : -1]:
        head = " ".join(text[:_HEAD_CHARS].split())
        row = f"{message.id} {message.role}: {head}{'...' * (len(text) > _HEAD_CHARS)}"
        room -= len(row.encode("utf-8", "replace")) + 1
        if room < 0:
            break
        rows.append(row)
    older = len(found) - len(rows)
    if older:
        rows.append(f"[{older} older; name a query]")
    return "\n".join(reversed(rows)) or "[no messages]"
