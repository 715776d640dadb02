from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rony_desktop.contract.approval import Approval, AskReason, GrantScope
from rony_desktop.contract.error import SandboxViolationError
from rony_desktop.contract.message import ToolCall, ToolResult
from rony_desktop.contract.port import ToolExecutor
from rony_desktop.contract.session import Session
from rony_desktop.contract.tool import CHANGED, DURATION_MS, Permission, ToolState
from rony_desktop.contract.tool_spec import ToolContext
from rony_desktop.tool.output import unwrapped
from tests.fake.approver import FakeApprover, allow, deny
from tests.fake.sandbox import FakeSandbox
from tests.fake.tool import SESSION, SHOUT, WRITE, Bench, FakeCheckpoint, holding


def test_it_is_the_port() -> None:
    port: ToolExecutor = Bench().executor
    assert port


async def test_a_read_runs_without_a_question() -> None:
    bench = Bench(sandbox=holding(a="hello"))
    result = await bench.call("read_file", path="a.md")
    assert unwrapped(result.content) == "hello"
    assert result.content != "hello"
    assert int(result.metadata[DURATION_MS]) >= 0
    assert CHANGED not in result.metadata
    assert bench.states == ["started", "done"]
    assert bench.seen[1].params == {"duration_ms": result.metadata[DURATION_MS]}
    assert bench.sandbox
    assert bench.sandbox.checked == ["a.md"]
    assert not bench.approver.requests  # type: ignore[union-attr]


async def test_a_change_is_asked_about_then_made() -> None:
    bench = Bench(sandbox=holding(a="old\n"), checkpoint=FakeCheckpoint())
    result = await bench.write()
    assert result.content == "written"
    assert result.metadata[CHANGED] == "a.md"
    assert bench.file("a.md") == "new\n"
    assert bench.states == ["asked", "allowed", "started", "done"]
    [asked] = bench.approver.requests  # type: ignore[union-attr]
    assert asked.change
    assert (asked.change.before, asked.change.after) == ("old\n", "new\n")
    assert (asked.session, asked.folder, asked.sandbox) == ("s", "/w", "fake")
    assert (asked.reason, asked.pattern) == (AskReason.CHANGES, "*.md")
    assert bench.seen[0].params == {"digest": asked.digest}
    assert bench.seen[1].params == {
        "scope": "once",
        "pattern": "*.md",
        "tool": "write_file",
        "folder": "/w",
        "sandbox": "fake",
        "digest": asked.digest,
    }
    assert bench.checkpoint
    assert bench.checkpoint.kept == [("s", Path("/w/a.md"))]
    assert bench.sandbox
    assert bench.sandbox.checked == ["a.md", "a.md"]


# Every gate alone: what stops it, what is said, and how far the call came.
ALONE: dict[str, tuple[dict[str, Any], tuple[str, str], str, list[str]]] = {
    "unknown": ({}, ("nothing", "{}"), "Use one of: move, read_file, shout, write_file", []),
    "no tools": ({"tools": []}, ("x", "{}"), "Use one of: none", []),
    "parse": ({}, ("write_file", "{"), "not JSON", []),
    "schema": ({}, ("write_file", '{"path": 1, "content": ""}'), "must be string", []),
    "policy": (
        {"permissions": {"shout": Permission.DENY}},
        ("shout", '{"text": "a"}'),
        "switched off",
        [],
    ),
    "no folder": ({"sandbox": None}, ("read_file", '{"path": "a.md"}'), "no folder is chosen", []),
    "approval": (
        {"approver": FakeApprover(deny("use tabs."))},
        ("shout", '{"text": "a"}'),
        "shout was not run: The user refused: use tabs.",
        ["asked", "denied"],
    ),
    "approval without a word": (
        {"approver": FakeApprover(deny())},
        ("shout", '{"text": "a"}'),
        "shout was not run: The user refused.",
        ["asked", "denied"],
    ),
    "approval of something else": (
        {"approver": FakeApprover(lambda _: Approval(True, "0" * 64))},
        ("shout", '{"text": "a"}'),
        "what was shown is not what would be run",
        ["asked", "denied"],
    ),
    "sandbox of a read": (
        {},
        ("read_file", '{"path": "../x"}'),
        "path outside allowed roots: '../x'",
        [],
    ),
    "sandbox of a change": (
        {},
        ("write_file", '{"path": "../x", "content": ""}'),
        "path outside allowed roots: '../x'",
        [],
    ),
    "sandbox of any path": (
        {},
        ("move", '{"source": "a.md", "target": "/etc/x"}'),
        "path outside allowed roots: '/etc/x'",
        [],
    ),
}


@pytest.mark.parametrize("name", ALONE)
async def test_each_gate_alone_stops_a_call(name: str) -> None:
    setup, (tool, arguments), says, states = ALONE[name]
    bench = Bench(**setup)
    result = await bench.call(tool, arguments)
    assert result.is_error
    assert says in result.content
    assert bench.states == states
    assert not bench.sandbox or not bench.sandbox.files


async def test_gates_stand_in_their_order() -> None:
    """A call that every gate would refuse is refused by the first; mended, by the next."""
    ran: list[str] = []

    async def run(context: ToolContext, arguments: Mapping[str, Any]) -> ToolResult:
        ran.append("run")
        return ToolResult("sk-" + "proj-abcdefghij0123456789" + "x" * 90_000)

    tool = replace(WRITE, name="t", handler=run, preview=None, external=True)
    box = FakeSandbox()
    box.relative = lambda path: path  # type: ignore[method-assign]
    bad = ("t", '{"path": 1}')
    good = ("t", '{"path": "p", "content": ""}')
    denied = {"t": Permission.DENY}
    steps: list[tuple[dict[str, Any], tuple[str, str], str]] = [
        ({"tools": [], "permissions": denied}, bad, "tool not found"),
        ({"permissions": denied}, bad, "must be string"),
        ({"permissions": denied}, good, "switched off"),
        ({"approver": FakeApprover(deny("no"))}, good, "refused: no"),
    ]
    for setup, call, says in steps:
        bench = Bench(**{"tools": [tool], "sandbox": box, **setup})
        assert says in (await bench.call(*call)).content
        assert box.checked == []
    bench = Bench(tools=[tool], sandbox=FakeSandbox(), fails_at=ToolState.STARTED)
    assert "disk" in (await bench.call(*good)).content.lower()
    assert bench.sandbox
    assert bench.sandbox.checked == ["p"]
    assert ran == []
    bench = Bench(tools=[tool], sandbox=FakeSandbox())
    result = await bench.call(*good)
    assert ran == ["run"]
    assert list(bench.results.kept) == ["r1"]
    assert bench.results.kept["r1"].startswith("sk-p***")
    assert json.loads(unwrapped(result.content))["ref"] == "r1"


async def test_the_sandbox_is_asked_again_after_the_user() -> None:
    box = holding(a="x")
    bench = Bench(sandbox=box, approver=FakeApprover(waits=True))
    running = asyncio.create_task(bench.write())
    assert bench.approver
    await bench.approver.asked.wait()

    def leads_out(path: str) -> None:
        raise SandboxViolationError(path=path, detail="its folder became a link")

    box.validate = leads_out  # type: ignore[method-assign]
    bench.approver.go.set()
    result = await running
    assert "outside" in result.content
    assert bench.states == ["asked", "allowed"]
    assert bench.file("a.md") == "x"


async def test_twenty_calls_of_which_three_change_ask_three_times() -> None:
    bench = Bench(sandbox=holding(a="hello"))
    for i in range(20):
        if i in (4, 9, 17):
            await bench.write(content=f"{i}\n")
        else:
            await bench.call("read_file", path="a.md")
    assert len(bench.approver.requests) == 3  # type: ignore[union-attr]
    assert bench.file("a.md") == "17\n"


async def test_arguments_changed_while_asked_are_not_run() -> None:
    bench = Bench(approver=FakeApprover(waits=True))
    assert bench.approver
    call = ToolCall("c1", "write_file", '{"path": "a.md", "content": "shown"}')
    bench.approver.answer = lambda request: Approval(True, bench.seen[0].params["digest"])
    running = asyncio.create_task(bench.executor.execute(call, SESSION))
    await bench.approver.asked.wait()
    object.__setattr__(call, "arguments", '{"path": "b.md", "content": "evil"}')
    bench.approver.go.set()
    result = await running
    assert "what was shown is not what would be run" in result.content
    assert bench.sandbox
    assert not bench.sandbox.files
    assert bench.states == ["asked", "denied"]


async def test_a_part_that_was_left_out_is_not_written_and_the_model_is_told() -> None:
    before = "".join(f"{i}\n" for i in range(1, 10))
    after = before.replace("2\n3\n", "two\nthree\n").replace("9\n", "nine\n") + "ten\n"
    after = after.replace("6\n", "6\nnew\n")
    bench = Bench(sandbox=holding(a=before), approver=FakeApprover(allow(hunks=(2,))))
    result = await bench.write(content=after)
    assert bench.file("a.md") == before.replace("9\n", "nine\n") + "ten\n"
    assert result.content == (
        "written\nThe user left out 2 of 3 parts of this change; not written: lines 2-3, "
        "what comes after line 6 (lines of the file as it was)."
    )


async def test_a_single_line_that_was_left_out_and_many() -> None:
    before = "".join(f"{i}\n" for i in range(50))
    after = "".join(f"{i}\n" if i % 2 else f"{i}!\n" for i in range(50))
    bench = Bench(sandbox=holding(a=before), approver=FakeApprover(allow(hunks=(0,))))
    result = await bench.write(content=after)
    assert "24 of 25 parts" in result.content
    assert "line 3, line 5" in result.content
    assert "line 21 and more (" in result.content
    assert "line 23" not in result.content


async def test_a_protected_name_is_asked_about_each_time_whatever_was_granted() -> None:
    approver = FakeApprover(allow(GrantScope.SESSION))
    bench = Bench(approver=approver, session=replace(SESSION, auto_approve=True))
    for _ in range(2):
        await bench.write("rony.yaml", "x")
    assert [r.reason for r in approver.requests] == [AskReason.PROTECTED] * 2
    assert [r.pattern for r in approver.requests] == ["", ""]
    await bench.write("a.md", "x")
    assert len(approver.requests) == 2


async def test_a_call_with_two_paths_is_asked_about_without_a_pattern() -> None:
    bench = Bench(sandbox=holding(a="x"), checkpoint=FakeCheckpoint())
    result = await bench.call("move", source="a.md", target="b.md")
    assert bench.approver
    assert bench.approver.requests[0].pattern == ""
    assert result.metadata[CHANGED] == "a.md, b.md"
    assert bench.checkpoint
    assert [path.name for _, path in bench.checkpoint.kept] == ["a.md", "b.md"]


async def test_a_tool_without_paths_needs_no_folder() -> None:
    bench = Bench(sandbox=None, session=Session("s"))
    result = await bench.call("shout", text="a")
    assert unwrapped(result.content) == "A"
    assert bench.approver
    [asked] = bench.approver.requests
    assert (asked.change, asked.pattern, asked.sandbox) == (None, "", "")
    assert CHANGED not in result.metadata


async def test_this_chat_covers_the_next_call() -> None:
    bench = Bench(approver=FakeApprover(allow(GrantScope.SESSION)))
    await bench.write()
    await bench.write(content="again\n")
    assert bench.approver
    assert len(bench.approver.requests) == 1
    scopes = [p.params["scope"] for p in bench.seen if p.state is ToolState.ALLOWED]
    assert scopes == ["session", "once"]


async def test_unknown_tools_list_ten_names_and_nothing_is_guessed() -> None:
    tools = [replace(SHOUT, name=f"t{i:02}") for i in range(30)]
    result = await Bench(tools=tools).call("T00" + "x" * 5_000)
    assert result.is_error
    assert result.content.endswith(f"Use one of: {', '.join(f't{i:02}' for i in range(10))}.")
    assert len(result.content) < 250
