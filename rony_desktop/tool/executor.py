"""Every gate before a tool, in order, then the tool."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from rony_desktop.contract.approval import (
    Approval,
    ApprovalRequest,
    AskReason,
    FileChange,
    Hunk,
)
from rony_desktop.contract.error import (
    RonyError,
    ToolDeniedError,
    ToolNotFoundError,
    ToolTimeoutError,
)
from rony_desktop.contract.event import ToolProgress
from rony_desktop.contract.message import ToolCall, ToolResult
from rony_desktop.contract.port import Checkpoint, Sandbox
from rony_desktop.contract.session import Session
from rony_desktop.contract.tool import CHANGED, DURATION_MS, Permission, ToolState
from rony_desktop.contract.tool_spec import PermissionPolicy, ToolContext, ToolSpec
from rony_desktop.log import EventTag, log_event
from rony_desktop.tool.approval import ApprovalGate, bound, chosen, pattern_of
from rony_desktop.tool.output import Output
from rony_desktop.tool.schema import arguments_of, check

LONGEST_NAME = 64
MOST_NAMES = 10

_T = TypeVar("_T")
_Arguments = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Executor:
    """Runs calls: schema, policy, approval, sandbox, checkpoint, tool, output.

    tools tells what is offered in a session. sandbox_of opens files: it is called in a thread.
    observe puts a state on disk: where it fails before the tool has started, the tool is not run.
    Waiting for the user takes none of timeout_s, which a tool may override.
    """

    tools: Callable[[Session], Sequence[ToolSpec]]
    policy: PermissionPolicy
    gate: ApprovalGate
    output: Output
    sandbox_of: Callable[[Session], Sandbox | None]
    observe: Callable[[str, ToolProgress], Awaitable[None]]
    timeout_s: float
    checkpoint: Checkpoint | None = None

    async def execute(self, call: ToolCall, session: Session) -> ToolResult:
        """Answer one call; an error of the tree or of the system becomes an error result."""
        name = call.name[:LONGEST_NAME]
        log_event(EventTag.TOOL_CALL, tool=name)
        begun = time.monotonic()
        try:
            result = await self._answer(call, session)
        except (RonyError, OSError) as error:
            result = self.output.refusal(_sentence(error))
        log_event(
            EventTag.TOOL_RESULT,
            tool=name,
            state="error" if result.is_error else "ok",
            ms=round((time.monotonic() - begun) * 1000),
            bytes=len(result.content.encode()),
        )
        return result

    async def _answer(self, call: ToolCall, session: Session) -> ToolResult:
        spec = self._known(call, session)
        arguments = await asyncio.to_thread(_checked, spec, call)
        permission = self.policy.permission(spec)
        if permission is Permission.DENY:
            raise ToolDeniedError(name=spec.name, detail="it is switched off in the settings")
        sandbox = await asyncio.to_thread(self.sandbox_of, session)
        if spec.paths and sandbox is None:
            detail = "no folder is chosen in this chat; the user has to choose one first"
            raise ToolDeniedError(name=spec.name, detail=detail)
        context, note = ToolContext(session, call, sandbox), ""
        if permission is Permission.ASK:
            context, note = await self._allowed(spec, context, arguments)
            # Read anew: what a preview did to its arguments was never shown.
            arguments = await asyncio.to_thread(_checked, spec, call)
        touched = await asyncio.to_thread(_validated, spec, context, arguments)
        if self.checkpoint and touched:
            for path in touched:
                await self.checkpoint.keep(session.id, Path(session.folder) / path)
        await self._tell(context, ToolState.STARTED)
        return await self._run(spec, context, arguments, touched, note)

    def _known(self, call: ToolCall, session: Session) -> ToolSpec:
        tools = {tool.name: tool for tool in self.tools(session)}
        if call.name not in tools:
            known = ", ".join(sorted(tools)[:MOST_NAMES]) or "none"
            raise ToolNotFoundError(name=call.name[:LONGEST_NAME], known=known)
        return tools[call.name]

    async def _allowed(
        self, spec: ToolSpec, context: ToolContext, arguments: _Arguments
    ) -> tuple[ToolContext, str]:
        """The context with what the user allowed, and a note on what was left out."""
        change = None
        if spec.preview:
            change = await self._timed(spec, spec.preview(context, arguments))
        request = await asyncio.to_thread(_request, spec, context, arguments, change)
        await self._tell(context, ToolState.ASKED, digest=request.digest)
        try:
            answer = await self.gate.decide(request, context.session)
        except RonyError as error:
            await self._tell(context, ToolState.DENIED, reason=str(error))
            raise
        if not answer.allowed:
            await self._tell(context, ToolState.DENIED, reason=answer.reason)
            who = "The user refused: " if answer.by_user else ""
            detail = f"{who}{answer.reason}".rstrip(".: ")
            raise ToolDeniedError(name=spec.name, detail=detail)
        await self._tell(context, ToolState.ALLOWED, **_grant(request, answer))
        if change is None:
            return context, ""
        left = await asyncio.to_thread(chosen, change, answer.hunks)
        return replace(context, change=left), _left_out(change, left)

    async def _run(
        self,
        spec: ToolSpec,
        context: ToolContext,
        arguments: _Arguments,
        touched: Sequence[str],
        note: str,
    ) -> ToolResult:
        begun = time.monotonic()
        failure: RonyError | OSError | None = None
        result = ToolResult("")
        try:
            result = await self._timed(spec, spec.execute(context, arguments))
        except (RonyError, OSError) as error:
            failure = error
        duration = {DURATION_MS: str(round((time.monotonic() - begun) * 1000))}
        if failure:
            result = self.output.refusal(_sentence(failure))
        else:
            result = await self.output.prepare(context.call, spec, result)
        changed = {CHANGED: ", ".join(touched)} if touched and not result.is_error else {}
        if changed and note:
            result = replace(result, content=f"{result.content}\n{note}")
        try:
            await self._tell(context, ToolState.DONE, **duration)
        except RonyError as error:
            unknown = f"{result.content}\nIt was run, but this could not be recorded: {error}"
            result = replace(result, content=unknown)
        return replace(result, metadata={**result.metadata, **changed, **duration})

    async def _timed(self, spec: ToolSpec, work: Awaitable[_T]) -> _T:
        seconds = self.timeout_s if spec.timeout_s is None else spec.timeout_s
        limit = asyncio.timeout(seconds)
        try:
            async with limit:
                return await work
        except TimeoutError as error:
            if limit.expired():
                raise ToolTimeoutError(name=spec.name, seconds=f"{seconds:g}") from error
            raise

    async def _tell(self, context: ToolContext, state: ToolState, **params: str) -> None:
        await self.observe(context.session.id, ToolProgress(context.call.id, state, params))


def _checked(spec: ToolSpec, call: ToolCall) -> _Arguments:
    arguments = arguments_of(call)
    check(spec, arguments)
    return arguments


def _paths(spec: ToolSpec, arguments: _Arguments) -> list[str]:
    given = (arguments[name] for name in spec.paths if name in arguments)
    return [path for path in given if isinstance(path, str)]


def _request(
    spec: ToolSpec, context: ToolContext, arguments: _Arguments, change: FileChange | None
) -> ApprovalRequest:
    session, call, sandbox = context.session, context.call, context.sandbox
    paths = _paths(spec, arguments)
    where = [change.path] if change else [sandbox.relative(path) for path in paths if sandbox]
    protected = sandbox is not None and any(map(sandbox.protected, (*paths, *where)))
    request = ApprovalRequest(
        session=session.id,
        call=call,
        reason=AskReason.PROTECTED if protected else AskReason.CHANGES,
        folder=session.folder,
        sandbox=sandbox.mode if sandbox else "",
        digest="",
        change=change,
        pattern="" if protected or len(where) != 1 else pattern_of(where[0]),
    )
    return replace(request, digest=bound(request, None))


def _grant(request: ApprovalRequest, answer: Approval) -> dict[str, str]:
    return {
        "scope": answer.scope.value,
        "pattern": request.pattern,
        "tool": request.call.name,
        "folder": request.folder,
        "sandbox": request.sandbox,
        "digest": answer.digest,
    }


def _validated(spec: ToolSpec, context: ToolContext, arguments: _Arguments) -> list[str]:
    """Hold every path against the sandbox; those that the tool changes, as the folder spells them.

    Raises:
        SandboxViolationError: One leads out.
    """
    sandbox, change = context.sandbox, context.change
    if sandbox is None:
        return []
    paths = _paths(spec, arguments)
    for path in (*paths, change.path) if change else paths:
        sandbox.validate(sandbox.relative(path))
    if spec.permission is not Permission.ASK:
        return []
    return [change.path] if change else [sandbox.relative(path) for path in paths]


def _left_out(change: FileChange, left: FileChange) -> str:
    """Tell the model which parts were not taken, by their lines in the file as it was."""
    missing = [hunk for hunk in change.hunks if hunk not in left.hunks]
    if not missing:
        return ""
    places = ", ".join(map(_lines, missing[:MOST_NAMES]))
    more = " and more" if len(missing) > MOST_NAMES else ""
    return (
        f"The user left out {len(missing)} of {len(change.hunks)} parts of this change; "
        f"not written: {places}{more} (lines of the file as it was)."
    )


def _lines(hunk: Hunk) -> str:
    first, count = hunk.start + 1, len(hunk.before)
    if not count:
        return f"what comes after line {hunk.start}"
    return f"line {first}" if count == 1 else f"lines {first}-{first + count - 1}"


def _sentence(error: RonyError | OSError) -> str:
    if isinstance(error, RonyError) or not error.strerror:
        return str(error) or type(error).__name__
    return f"{error.filename}: {error.strerror}." if error.filename else f"{error.strerror}."
