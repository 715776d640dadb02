"""Conversations: list, open, send, stop. The one way every shell talks to the model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress

from rony_desktop.app.answer import Answer, Services
from rony_desktop.app.id import new_id
from rony_desktop.app.keep import closing
from rony_desktop.contract.approval import ApprovalRequest
from rony_desktop.contract.error import RonyError, SessionBusy, SessionMissing, StorageError
from rony_desktop.contract.event import ApprovalAsked, SessionChanged, ToolProgress, TurnEvent
from rony_desktop.contract.message import Role
from rony_desktop.contract.session import EntryKind, NewEntry, Session, SessionSummary


class ChatService:
    """Runs turns over sessions. A session has one turn at a time; several may run side by side.

    folder is the folder a new chat works in, "" for none.
    """

    def __init__(self, services: Services, user: str, folder: str = "") -> None:
        self._services = services
        self._user = user
        self._folder = folder
        self._folders: dict[str, str] = {}
        self._turns: dict[str, asyncio.Task[None]] = {}
        self._answers: dict[str, Answer] = {}
        self._stopping: set[str] = set()
        self._owed: dict[str, list[NewEntry]] = {}

    async def list(self, query: str = "") -> Sequence[SessionSummary]:
        """Chats, newest first, or those that contain the words of query."""
        store = self._services.store
        return await (store.search(query) if query.strip() else store.list())

    async def open(self, session: str) -> Session:
        """A chat as it stands, its running answer aside.

        Raises:
            SessionError: there is no such chat, or it cannot be read.
        """
        await self._pay(session)
        found = await self._services.store.load(session)
        if closing(found):
            with suppress(SessionBusy):  # calls of a turn that runs are not ours to answer
                return await self._closed(session)
        return found

    async def _closed(self, session: str) -> Session:
        """A chat whose open calls were answered for the program that ended under them."""
        store = self._services.store
        release = await store.claim(session)
        try:
            if rest := closing(await store.load(session)):
                await store.append(session, rest, durable=True)
            return await store.load(session)
        finally:
            release()

    async def folder(self, session: str) -> str:
        """The folder a chat works in, new or old, "" for none; asking in it says what is wrong."""
        try:
            return (await self._services.store.load(session)).folder
        except (SessionMissing, StorageError):
            return self._folders.get(session, self._folder)

    async def choose_folder(self, session: str, folder: str) -> None:
        """Let a chat work in a folder from its next turn on; "" takes the folder away."""
        mark = NewEntry(EntryKind.MARK, {"folder": folder})
        try:
            await self._services.store.append(session, [mark], durable=True)
        except SessionMissing:  # written with the chat's first message
            self._folders[session] = folder
        self._services.feed.publish(SessionChanged(session))

    async def note(self, session: str, progress: ToolProgress) -> None:
        """Make durable how far a call of a running turn came.

        Raises:
            StorageError, SessionError: it is not written; the next step must not be taken.
        """
        if answer := self._answers.get(session):
            await answer.note(progress)

    def ask(self, request: ApprovalRequest) -> None:
        """Say in a turn's stream that a call waits for the user."""
        if answer := self._answers.get(request.session):
            answer.events.put_nowait(ApprovalAsked(request))

    async def rename(self, session: str, title: str) -> None:
        """Give a chat a title of the user's own."""
        entry = NewEntry(EntryKind.TITLE, {"text": title.strip()})
        await self._services.store.append(session, [entry], durable=True)
        self._services.feed.publish(SessionChanged(session))

    async def delete(self, session: str) -> None:
        """Stop a chat and move it to the bin."""
        await self.stop(session)
        await self._services.store.delete(session)
        self._owed.pop(session, None)
        self._services.feed.publish(SessionChanged(session))

    async def restore(self, session: str) -> None:
        """Take a chat back out of the bin."""
        await self._services.store.restore(session)
        self._services.feed.publish(SessionChanged(session))

    async def send(self, session: str, text: str) -> AsyncGenerator[TurnEvent, None]:
        """Ask in a chat, new or old, and stream the turn; closing the stream stops the turn.

        Raises:
            SessionError: the chat cannot be read, or already has a turn running.
        """
        current = await self._current(session)
        async with aclosing(self._run(current, text)) as events:
            async for event in events:
                yield event

    async def retry(self, session: str) -> AsyncGenerator[TurnEvent, None]:
        """Answer a chat's newest question again; the old answer stays on its own branch.

        A chat in which nothing was asked has nothing to answer: the stream is empty.
        """
        current = await self._current(session)
        asked = [m.message.id for m in current.messages if m.message.role is Role.USER]
        if not asked:
            return
        current = await self._services.store.branch(session, asked[-1])
        async with aclosing(self._run(current, "")) as events:
            async for event in events:
                yield event

    async def stop(self, session: str) -> None:
        """Stop a chat's turn; returns when the engine is at rest and the answer is kept."""
        if task := self._turns.get(session):
            if session not in self._stopping:
                self._stopping.add(session)
                task.cancel()
            await asyncio.wait([task])

    async def close(self) -> None:
        """Stop every turn and keep what is not yet kept."""
        await asyncio.gather(*(self.stop(session) for session in tuple(self._turns)))
        await asyncio.gather(*(self._pay(session) for session in tuple(self._owed)))

    async def _current(self, session: str) -> Session:
        if session in self._turns:
            raise SessionBusy(session=session)
        try:
            return await self.open(session)
        except SessionMissing:
            folder = self._folders.get(session, self._folder)
            return Session(session, self._user, folder=folder)

    async def _run(self, session: Session, text: str) -> AsyncGenerator[TurnEvent, None]:
        if session.id in self._turns:
            raise SessionBusy(session=session.id)
        release = await self._services.store.claim(session.id)
        answer = Answer(self._services, session, text, (new_id(), new_id()))
        task = asyncio.create_task(answer.run(), name=f"answer {answer.ids[1]}")
        self._turns[session.id], self._answers[session.id] = task, answer
        task.add_done_callback(lambda _: self._ended(answer, release))
        try:
            while event := await answer.events.get():
                yield event
        finally:
            await self.stop(session.id)
        if not task.cancelled():
            task.result()

    async def _pay(self, session: str) -> None:
        """Write the end of an answer that could not be written; what still cannot waits on."""
        if entries := self._owed.pop(session, None):
            try:
                await self._services.store.append(session, entries, durable=True)
            except RonyError:
                self._owed[session] = entries

    def _ended(self, answer: Answer, release: Callable[[], None]) -> None:
        release()
        if answer.owed:
            self._owed[answer.session.id] = answer.owed
        self._turns.pop(answer.session.id, None)
        self._answers.pop(answer.session.id, None)
        self._stopping.discard(answer.session.id)
        answer.events.put_nowait(None)
