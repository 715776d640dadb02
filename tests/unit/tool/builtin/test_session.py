from __future__ import annotations

from typing import Any

import pytest

from rony_desktop.contract.error import ToolArgumentsError
from rony_desktop.contract.message import Message, Role, ToolCall, ToolResult
from rony_desktop.contract.session import Session, SessionMessage
from rony_desktop.contract.tool_spec import ToolContext, ToolSpec

LIMIT = 6144
CALL = ToolCall("c1", "read_file", '{"path":"a"}')


def session(*messages: Message) -> Session:
    return Session("s", messages=tuple(SessionMessage(message) for message in messages))


CHAT = session(
    Message(Role.USER, "What is in\n the file?", "m1"),
    Message(Role.ASSISTANT, "", "m2", tool_calls=(CALL,)),
    Message(
        Role.TOOL, "", "m3", tool_call_id="c1", tool_result=ToolResult("Gr\u00fc\u00dfe " * 50)
    ),
    Message(Role.ASSISTANT, "I look again.", "m4", tool_calls=(CALL,)),
)


async def run(tools: dict[str, ToolSpec], chat: Session, name: str, **arguments: Any) -> str:
    context = ToolContext(chat, ToolCall("call-1", name, "{}"))
    content = (await tools[name].execute(context, arguments)).content
    assert len(content.encode()) < LIMIT
    return content


async def test_a_message_is_loaded_whole(tools: dict[str, ToolSpec]) -> None:
    one = await run(tools, CHAT, "load_message", id="m1")
    assert one == "[lines 1-2 of 2]\nWhat is in\n the file?"
    assert (await run(tools, CHAT, "load_message", id="m3")).endswith("Gr\u00fc\u00dfe " * 50)


async def test_calls_are_part_of_a_message(tools: dict[str, ToolSpec]) -> None:
    called = '[called read_file {"path":"a"}]'
    assert (await run(tools, CHAT, "load_message", id="m2")).endswith(f"]\n{called}")
    assert (await run(tools, CHAT, "load_message", id="m4")).endswith(f"I look again.\n{called}")


async def test_a_long_message_comes_in_pages(tools: dict[str, ToolSpec]) -> None:
    chat = session(Message(Role.USER, "x" * 100_000, "m1"))
    page = await run(tools, chat, "load_message", id="m1", column=99_999)
    assert page == "[lines 1-1 of 1 from character 99999]\nxx"
    assert "go on with offset 1, column" in await run(tools, chat, "load_message", id="m1")


async def test_an_unknown_id_says_how_to_find_one(tools: dict[str, ToolSpec]) -> None:
    with pytest.raises(ToolArgumentsError, match="'m9'; list_messages"):
        await run(tools, CHAT, "load_message", id="m9")


async def test_messages_are_listed_in_their_order(tools: dict[str, ToolSpec]) -> None:
    rows = (await run(tools, CHAT, "list_messages")).split("\n")
    assert rows[0] == "m1 user: What is in the file?"
    assert rows[1] == 'm2 assistant: [called read_file {"path":"a"}]'
    assert rows[2].startswith("m3 tool: Gr\u00fc\u00dfe Gr\u00fc\u00dfe")
    assert rows[2].endswith("...")
    assert len(rows) == 4


async def test_the_newest_are_listed_and_older_ones_counted(tools: dict[str, ToolSpec]) -> None:
    chat = session(*(Message(Role.USER, f"text {number}", f"m{number}") for number in range(50)))
    rows = (await run(tools, chat, "list_messages")).split("\n")
    assert rows[0] == "[30 older; name a query]"
    assert rows[1] == "m30 user: text 30"
    assert rows[-1] == "m49 user: text 49"
    assert len(rows) == 21


async def test_a_query_finds_older_ones(tools: dict[str, ToolSpec]) -> None:
    chat = session(*(Message(Role.USER, f"Text {number}", f"m{number}") for number in range(50)))
    assert await run(tools, chat, "list_messages", query="text 7") == "m7 user: Text 7"
    assert await run(tools, chat, "list_messages", query="nothing") == "[no messages]"
    assert await run(tools, Session("s"), "list_messages") == "[no messages]"


async def test_ids_of_any_length_stay_below_the_limit(tools: dict[str, ToolSpec]) -> None:
    chat = session(*(Message(Role.USER, "x", f"{number}{'i' * 1000}") for number in range(20)))
    rows = (await run(tools, chat, "list_messages")).split("\n")
    assert rows[0] == "[15 older; name a query]"


def test_a_page_of_a_tools_result_is_wrapped_again(tools: dict[str, ToolSpec]) -> None:
    assert tools["load_message"].external
    assert tools["list_messages"].external
