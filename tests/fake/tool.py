"""Tools over a sandbox in memory, and an executor over fakes that tells what it observed."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rony_desktop.contract.approval import FileChange
from rony_desktop.contract.error import DiskFull
from rony_desktop.contract.event import ToolProgress
from rony_desktop.contract.message import ToolCall, ToolResult
from rony_desktop.contract.session import Session
from rony_desktop.contract.tool import Permission, ToolState
from rony_desktop.contract.tool_spec import ToolContext, ToolSpec
from rony_desktop.tool.approval import ApprovalGate
from rony_desktop.tool.diff import hunks
from rony_desktop.tool.executor import Executor
from rony_desktop.tool.output import Output
from rony_desktop.tool.policy import ConfigPolicy
from tests.fake.approver import FakeApprover
from tests.fake.record import FakeRecordStore
from tests.fake.result import FakeResultStore
from tests.fake.sandbox import FakeSandbox

SESSION = Session("s", folder="/w")
TEXT = {"type": "string"}


def parameters(*names: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict.fromkeys(names, TEXT),
        "required": list(names),
        "additionalProperties": False,
    }


async def read(context: ToolContext, arguments: Mapping[str, Any]) -> ToolResult:
    assert context.sandbox
    return ToolResult(context.sandbox.read_text(arguments["path"]))


async def preview(context: ToolContext, arguments: Mapping[str, Any]) -> FileChange:
    box = context.sandbox
    assert box
    path = box.relative(arguments["path"])
    before = box.files[path].decode() if path in box.files else None  # type: ignore[attr-defined]
    after = arguments["content"]
    arguments["content"] = "changed by the preview"  # type: ignore[index]
    return FileChange(path, before, after, hunks(before, after))


async def write(context: ToolContext, arguments: Mapping[str, Any]) -> ToolResult:
    assert context.sandbox
    assert arguments["content"] != "changed by the preview"
    text = context.change.after if context.change else arguments["content"]
    context.sandbox.write_text(arguments["path"], text)
    return ToolResult("written")


async def move(context: ToolContext, arguments: Mapping[str, Any]) -> ToolResult:
    assert context.sandbox
    context.sandbox.rename(arguments["source"], arguments["target"])
    return ToolResult("moved")


async def shout(context: ToolContext, arguments: Mapping[str, Any]) -> ToolResult:
    return ToolResult(arguments["text"].upper())


READ = ToolSpec("read_file", "", parameters("path"), read, Permission.ALLOW, ("path",))
WRITE = ToolSpec(
    "write_file",
    "",
    parameters("path", "content"),
    write,
    paths=("path",),
    preview=preview,
    external=False,
)
MOVE = ToolSpec("move", "", parameters("source", "target"), move, paths=("source", "target"))
SHOUT = ToolSpec("shout", "", parameters("text"), shout)


@dataclass
class FakeCheckpoint:
    kept: list[tuple[str, Path]] = field(default_factory=list)

    async def keep(self, run: str, path: Path) -> str:
        self.kept.append((run, path))
        return "k"

    async def restore(self, id: str) -> None: ...
    async def list(self, run: str) -> list[str]:
        return []


@dataclass
class Bench:
    """An executor over fakes, with everything that was observed."""

    approver: FakeApprover | None = field(default_factory=FakeApprover)
    sandbox: FakeSandbox | None = field(default_factory=lambda: FakeSandbox(["rony.yaml"]))
    tools: list[ToolSpec] = field(default_factory=lambda: [READ, WRITE, MOVE, SHOUT])
    permissions: dict[str, Permission] = field(default_factory=dict)
    timeout_s: float = 30.0
    checkpoint: FakeCheckpoint | None = None
    session: Session = SESSION
    seen: list[ToolProgress] = field(default_factory=list)
    fails_at: ToolState | None = None
    failure: Exception = field(default_factory=lambda: DiskFull(path="s.jsonl"))
    results: FakeResultStore = field(default_factory=FakeResultStore)
    executor: Executor = field(init=False)

    def __post_init__(self) -> None:
        self.executor = Executor(
            tools=lambda _: self.tools,
            policy=ConfigPolicy(self.permissions),
            gate=ApprovalGate(self.approver, FakeRecordStore()),
            output=Output(self.results, 6_144, 51_200),
            sandbox_of=self.sandbox_of,
            observe=self.observe,
            timeout_s=self.timeout_s,
            checkpoint=self.checkpoint,
        )

    def sandbox_of(self, _: Session) -> FakeSandbox | None:
        assert threading.current_thread() is not threading.main_thread(), "it may block"
        return self.sandbox

    async def observe(self, session: str, progress: ToolProgress) -> None:
        await asyncio.sleep(0)
        assert session == "s"
        if progress.state is self.fails_at:
            raise self.failure
        self.seen.append(progress)

    @property
    def states(self) -> list[str]:
        return [progress.state.value for progress in self.seen]

    async def call(self, name: str, arguments: str | None = None, **given: Any) -> ToolResult:
        text = json.dumps(given) if arguments is None else arguments
        return await self.executor.execute(ToolCall("c1", name, text), self.session)

    def file(self, path: str) -> str:
        assert self.sandbox
        return self.sandbox.files[path].decode()

    async def write(self, path: str = "a.md", content: str = "new\n") -> ToolResult:
        return await self.call("write_file", path=path, content=content)


def holding(**files: str) -> FakeSandbox:
    box = FakeSandbox(["rony.yaml"])
    for name, text in files.items():
        box.write_text(f"{name}.md", text)
    return box
