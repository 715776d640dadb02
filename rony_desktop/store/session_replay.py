"""Entries replayed: the messages they tell of, the active branch, the row in the list of chats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rony_desktop.contract.approval import Grant
from rony_desktop.contract.error import Failure, SessionForeign, SessionTorn
from rony_desktop.contract.message import Message, Role
from rony_desktop.contract.session import (
    CallTrace,
    Entry,
    EntryKind,
    MessageStatus,
    Session,
    SessionMessage,
    SessionSummary,
)
from rony_desktop.store.session_body import (
    read_calls,
    read_failure,
    read_grant,
    read_message,
    read_stop_reason,
    read_timings,
    read_trace,
    read_usage,
    text_of,
)
from rony_desktop.store.session_file import Lines

TITLE_LIMIT = 60


@dataclass(slots=True)
class _Told:
    """A message while its deltas, its end and the traces of its calls are gathered."""

    seq: int
    entry: Entry
    message: Message
    text: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    end: Entry | None = None
    calls: dict[str, CallTrace] = field(default_factory=dict)

    def told(self) -> SessionMessage:
        body = self.end.body if self.end else {}
        message = replace(
            self.message,
            content=self.message.content + "".join(self.text),
            thinking=self.message.thinking + "".join(self.thinking),
            tool_calls=read_calls(body) or self.message.tool_calls,
        )
        whole = message.role is not Role.ASSISTANT or (
            body.get("status") == MessageStatus.COMPLETE.value
        )
        return SessionMessage(
            message=message,
            parent=self.entry.parent,
            time=self.entry.time,
            status=MessageStatus.COMPLETE if whole else MessageStatus.INTERRUPTED,
            stop_reason=read_stop_reason(body),
            usage=read_usage(body),
            timings=read_timings(body),
            failure=read_failure(body),
            model=text_of(body, "model") or text_of(self.entry.body, "model"),
        )


class Replay:
    """Everything a session's entries say, in the order of their seq."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.title = ""
        self.created = ""
        self.updated = ""
        self.marks: dict[str, Any] = {}
        self.stray = 0
        self._told: dict[str, _Told] = {}
        self._compacts: list[Entry] = []
        self._grants: list[Grant] = []
        self._leaf: str | None = None
        for entry in entries:
            self.add(entry)

    def add(self, entry: Entry) -> None:
        """Take one more entry, the newest so far."""
        self.created = self.created or entry.time
        match entry.kind:
            case EntryKind.MESSAGE:
                self._add_message(entry)
            case EntryKind.DELTA | EntryKind.END:
                self._add_to_message(entry)
            case EntryKind.TITLE:
                self.title = text_of(entry.body, "text") or self.title
            case EntryKind.COMPACT:
                self._compacts.append(entry)
            case EntryKind.MARK:
                self._add_mark(entry.body)
            case EntryKind.TOOL:
                self._add_trace(entry)

    def has(self, message: str) -> bool:
        """Whether there is a message of this id on any branch."""
        return message in self._told

    def messages(self) -> tuple[SessionMessage, ...]:
        """Every message of every branch, by seq."""
        return tuple(told.told() for told in self._told.values())

    def words(self) -> str:
        """What user and assistant said on any branch, for the search; tools' results are not."""
        return "\n".join(m.message.content for m in self.messages() if _is_said(m.message))

    def session(self, id: str, user: str, notices: tuple[Failure, ...] = ()) -> Session:
        """The conversation of the active branch."""
        branch = self._branch()
        ids = {told.entry.id for told in branch}
        folder = self.marks.get("folder")
        compact = next(
            (c for c in reversed(self._compacts) if text_of(c.body, "keep_from") in ids), None
        )
        return Session(
            id=id,
            user=user,
            title=self.title or _title_of(branch),
            messages=tuple(told.told() for told in branch),
            summary=text_of(compact.body, "summary") if compact else "",
            keep_from=text_of(compact.body, "keep_from") if compact else "",
            notices=notices,
            folder=folder if isinstance(folder, str) else "",
            calls={call: trace for told in branch for call, trace in told.calls.items()},
            grants=self._distinct_grants(id),
        )

    def summary(self, id: str) -> SessionSummary:
        """The row of the list of chats."""
        branch = self._branch()
        return SessionSummary(
            id=id,
            title=self.title or _title_of(branch),
            created=self.created,
            updated=self.updated or self.created,
            messages=sum(_is_said(told.message) for told in branch),
            pinned=self.marks.get("pinned") is True,
            marks=dict(self.marks),
        )

    def _add_message(self, entry: Entry) -> None:
        message = read_message(entry.id, entry.body)
        if message is None or entry.id in self._told:
            self.stray += 1
            return
        self._told[entry.id] = _Told(entry.seq, entry, message)
        self._leaf = entry.id
        self.updated = entry.time

    def _add_to_message(self, entry: Entry) -> None:
        told = self._told.get(entry.parent or "")
        if told is None or told.end is not None:
            self.stray += 1
            return
        self.updated = entry.time
        if entry.kind is EntryKind.END:
            told.end = entry
        else:
            told.text.append(text_of(entry.body, "text"))
            told.thinking.append(text_of(entry.body, "thinking"))

    def _add_trace(self, entry: Entry) -> None:
        told = self._told.get(entry.parent or "")
        if told is None:
            self.stray += 1
            return
        self.updated = entry.time
        found = read_trace(entry.body)
        if found is None:
            return
        call, trace = found
        if grant := read_grant(call, trace):
            self._grants.append(grant)
        old = told.calls.get(call, trace)
        told.calls[call] = replace(trace, params={**old.params, **trace.params})

    def _add_mark(self, body: Mapping[str, Any]) -> None:
        leaf = body.get("leaf")
        if isinstance(leaf, str) and leaf in self._told:
            self._leaf = leaf
        if "revoked" in body:
            # Whatever reaches as far goes with it, or the same Allow would stay under another id.
            gone = {_reach(grant) for grant in self._grants if grant.id == body["revoked"]}
            self._grants = [grant for grant in self._grants if _reach(grant) not in gone]
        self.marks.update({k: v for k, v in body.items() if k not in ("leaf", "revoked")})

    def _distinct_grants(self, session: str) -> tuple[Grant, ...]:
        """Grants of every branch, for they are the chat's; the first of those that reach as far."""
        first = {_reach(grant): grant for grant in reversed(self._grants)}
        return tuple(replace(g, session=session) for g in self._grants if first[_reach(g)] is g)

    def _branch(self) -> list[_Told]:
        """Ancestors of the active leaf, oldest first.

        Where a parent is lost, the message written before stands in for it: in a chat without
        branches that is the one before the lost one.
        """
        branch: list[_Told] = []
        seen: set[str] = set()
        told = self._told.get(self._leaf or "")
        while told is not None and told.entry.id not in seen:
            seen.add(told.entry.id)
            branch.append(told)
            parent = told.entry.parent
            if parent is None:
                break
            told = self._told.get(parent) or self._before(told.seq, seen)
        branch.reverse()
        return branch

    def _before(self, seq: int, seen: set[str]) -> _Told | None:
        earlier = [t for t in self._told.values() if t.seq < seq and t.entry.id not in seen]
        return max(earlier, key=lambda told: told.seq, default=None)


def notices_of(id: str, lines: Lines, replay: Replay) -> tuple[Failure, ...]:
    """What was skipped while reading, as the user is told of it."""
    notices: list[Failure] = []
    if lines.torn:
        notices.append(SessionTorn(session=id, count=lines.torn).failure())
    if lines.strange or replay.stray:
        detail = f"{lines.strange + replay.stray} entries it cannot place"
        notices.append(SessionForeign(file=f"{id}.jsonl", detail=detail).failure())
    return tuple(notices)


def _reach(grant: Grant) -> Grant:
    return replace(grant, id="")


def _is_said(message: Message) -> bool:
    return message.role is not Role.TOOL


def _title_of(branch: list[_Told]) -> str:
    first = next((told.message.content for told in branch if told.message.role is Role.USER), "")
    line = next((line.strip() for line in first.splitlines() if line.strip()), "")
    return line if len(line) <= TITLE_LIMIT else f"{line[: TITLE_LIMIT - 1].rstrip()}…"
