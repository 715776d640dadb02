"""A conversation service for presenters: real, but for the model and the disk."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from rony_desktop.agent.loop import Loop
from rony_desktop.app.answer import Services
from rony_desktop.app.chat import ChatService
from rony_desktop.app.factory import create_app
from rony_desktop.app.feed import Feed
from rony_desktop.app.model import Models
from rony_desktop.app.runtime import Runtime
from rony_desktop.contract.error import Failure
from rony_desktop.contract.llm import CompletionResponse, TokenUsage
from rony_desktop.ui.task import Tasks
from tests.fake.agent import FRAME, FakeLLM
from tests.fake.session import FakeSessionStore

PLAIN = CompletionResponse("1", "Hello there", usage=TokenUsage(10, 3), model="m")
DEADLINE_S = 5.0
Until = Callable[[Callable[[], object]], "asyncio.Future[None]"]


@dataclass
class World:
    """What presenters work with, and what may be told to fail."""

    store: FakeSessionStore
    llm: FakeLLM
    chat: ChatService
    feed: Feed
    runtime: Runtime
    models: Models
    tasks: Tasks
    failures: list[Failure]
    model: str

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait for a condition."""
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                await asyncio.sleep(0.002)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    rules = tmp_path / "rules.json"
    rules.write_text(json.dumps([{"match": "*", "response": "yes"}]), "utf-8")
    app = create_app()
    app.runtime.use(f"scripted:{rules}")
    await app.runtime.ready()
    store, llm, failures = FakeSessionStore(), FakeLLM([PLAIN] * 9), list[Failure]()
    loop = Loop(llm, lambda _: FRAME)
    chat = ChatService(Services(store, loop, app.runtime, app.feed), "local")
    tasks = Tasks(failures.append)
    model = f"scripted:{rules}"
    yield World(store, llm, chat, app.feed, app.runtime, app.models, tasks, failures, model)
    await chat.close()
    await tasks.close()
    await app.runtime.stop()
    await app.store.aclose()
