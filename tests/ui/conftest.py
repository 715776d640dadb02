"""Coroutine tests of the window run on the loop the program has: Qt's, through qasync."""

from __future__ import annotations

import asyncio
import gc
import json
from asyncio import AbstractEventLoop
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import shiboken6
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from rony_desktop.app.context import AppContext
from rony_desktop.app.factory import create_app
from rony_desktop.app.lifecycle import shutdown, startup
from rony_desktop.contract.error import Failure
from rony_desktop.ui.application import event_loop
from rony_desktop.ui.shell import Shell
from rony_desktop.ui.task import Tasks
from rony_desktop.ui.theme import Theme, ThemeMode
from rony_desktop.ui.window import MainWindow
from tests.fixture.model_server import ModelServer

RULES = [
    {"match": "long", "response": "word " * 30_000},
    {"match": "again", "response": "Once more."},
    {"match": "hello", "response": "Hello to you."},
]
DEADLINE_S = 20.0


def application() -> QApplication:
    """The one QApplication of this process; closing the last window does not end it."""
    app = QApplication.instance() or QApplication(["rony-test"])
    assert isinstance(app, QApplication)
    app.setQuitOnLastWindowClosed(False)
    return app


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what builds the whole program: make check leaves it to make test."""
    for item in items:
        if "start" in getattr(item, "fixturenames", ()):
            item.add_marker("program")


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], AbstractEventLoop]]:
    return {"qt": lambda: event_loop(application())}


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    """pytest-qt's application, the same one as the loop's."""
    return application()


@pytest.fixture(scope="package", autouse=True)
def collected_here() -> Iterator[None]:
    """Leave no widget to the garbage collector: later it may run in any thread."""
    yield
    gc.collect()


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    """The light theme, on the whole application; what an earlier test left is not dressed anew."""
    for widget in qapp.topLevelWidgets():
        if shiboken6.isValid(widget):
            shiboken6.delete(widget)
    theme = Theme(ThemeMode.LIGHT)
    theme.apply(qapp)
    return theme


@pytest.fixture
def child() -> Callable[..., Any]:
    """Finds a widget inside another: child(parent, kind, object name)."""

    def find(parent: QWidget, kind: type[QWidget], name: str) -> QWidget:
        found = parent.findChild(kind, name)
        assert isinstance(found, kind), f"no {name}"
        return found

    return find


@dataclass
class Program:
    """The whole program in this process: a real window over a scripted model."""

    app: AppContext
    window: MainWindow
    shell: Shell
    tasks: Tasks
    failures: list[Failure]
    model: str

    async def until(self, condition: Callable[[], object]) -> None:
        """Let the window work until a condition holds."""
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                await asyncio.sleep(0.005)

    async def ask(self, text: str) -> None:
        """Send a question as the composer does, and wait for the end of its answer."""
        self.window.chat.composer.set_text(text)
        self.window.chat.sendRequested.emit(text)
        before = self.shell.last
        await self.until(lambda: self.shell.last is not before)
        await self.until(self.window.findChild(QPushButton, "send_button").isVisible)


Start = Callable[..., AbstractAsyncContextManager[Program]]


@pytest.fixture
def start(theme: Theme, tmp_path: Path) -> Start:
    """Runs the program for a block; its model answers "hello", "again" and a "long" one.

    start(server, workspace) lets it ask a scripted HTTP server instead, and work in a folder.

    No asynchronous fixture: between the phases of a test pytest-qt lets Qt work, and what a loop
    has to do would then be done outside of it.
    """
    return lambda server=None, workspace=None: _started(theme, tmp_path, server, workspace)


@asynccontextmanager
async def _started(
    theme: Theme, folder: Path, server: ModelServer | None, workspace: Path | None
) -> AsyncIterator[Program]:
    rules = folder / "rules.json"
    rules.write_text(json.dumps(RULES), "utf-8")
    model, failures = "" if server else f"scripted:{rules}", list[Failure]()
    flags = {"sandbox.workspace": workspace} if workspace else {}
    remote = ("scripted", server.endpoint) if server else None
    # The collector runs in whatever thread allocates: a widget of an earlier test, or the timer of
    # its loop, would be destroyed outside of Qt's thread.
    gc.disable()
    window, tasks = MainWindow(theme), Tasks(failures.append)
    app = create_app(flags, remote=remote)
    shell = Shell(app, window, tasks)
    program = Program(app, window, shell, tasks, failures, model)
    try:
        window.show()
        window.activateWindow()
        shell.start()
        await startup(app, model)
        await app.runtime.ready()
        await program.until(lambda: window.isActiveWindow() or QApplication.activeModalWidget())
        yield program
    finally:
        shell.close()
        await tasks.close()
        await shutdown(app)
        window.close()
        shiboken6.delete(window)
        gc.collect()
        gc.enable()
