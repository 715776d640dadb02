"""Ordered start and stop of the program."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from rony_desktop.app.approval import Headless
from rony_desktop.app.context import AppContext
from rony_desktop.app.factory import create_app
from rony_desktop.app.neighbour import shared_engine
from rony_desktop.app.workspace import FOLDERS, TRUST
from rony_desktop.contract.error import DiskFull, RonyError
from rony_desktop.contract.event import Notice
from rony_desktop.engine.record import reap
from rony_desktop.log import start_logging, stop_logging
from rony_desktop.net import configure, warm
from rony_desktop.store.place import Place
from rony_desktop.tool.approval import GRANTS


async def startup(app: AppContext, model: str = "", *, anyway: bool = False) -> None:
    """Make the folders, open the logs, end what a killed run left behind, load the model.

    Returns at once; the model goes on loading in the background, even one that does not fit where
    anyway says so.

    Raises:
        StorageError: the folders cannot be made or written. Everything else was started.
    """
    refused: RonyError | None = None
    try:
        await asyncio.to_thread(app.place.prepare)
    except RonyError as error:
        refused = error
    await asyncio.to_thread(start_logging, app.place.log_dir, app.config.logging.level)
    await asyncio.to_thread(reap, app.place.run_dir)
    configure(app.config.network)
    await asyncio.to_thread(warm)
    app.runtime.use(model, anyway=anyway)
    if refused:
        raise refused
    for tidying in (app.store.purge(), app.artifacts.purge(datetime.now(UTC))):
        try:
            await tidying
        except RonyError as error:  # what is too old may stay
            app.feed.publish(Notice(error.failure()))
    for kind in (GRANTS, FOLDERS, TRUST):
        await app.records.list(kind)
    for failure in app.records.notices:
        app.feed.publish(Notice(failure))


async def shutdown(app: AppContext) -> None:
    """Stop answers, then the engines, then the stores, then the logs."""
    await app.chat.close()
    await app.stock.close()
    await app.runtime.stop()
    await app.fleet.stop()
    await app.store.aclose()
    await asyncio.to_thread(app.workspaces.close)
    await asyncio.to_thread(stop_logging)


@asynccontextmanager
async def running(
    model: str | None,
    *,
    trust: bool = False,
    folder: str = "",
    allowed: Collection[str] = (),
    anyway: bool = False,
) -> AsyncIterator[AppContext]:
    """The program for one command; a running window's engine is used where it has the model.

    New chats work in folder; of what would ask the user only the tools in allowed are run. anyway
    loads a model even where memory is short.

    Raises:
        WorkspaceMissing: the folder cannot be opened.
    """
    place = Place.of()
    shared = await shared_engine(place.run_dir)
    name = model or ""
    if shared and name not in ("", shared[0]):
        shared = None
    flags = {"sandbox.workspace": Path(folder)} if folder else None
    app = await asyncio.to_thread(
        create_app, flags, trust=trust, place=place, remote=shared, approver=Headless(allowed)
    )
    try:
        await startup(app, name, anyway=anyway)
        if folder:
            await app.workspaces.remember(folder)
        yield app
    finally:
        await shutdown(app)


@asynccontextmanager
async def opened(*, trust: bool = False) -> AsyncIterator[AppContext]:
    """The program for one command that loads no model; what it started is stopped.

    Raises:
        StorageError: the program's folders cannot be made; where the disk is full, what writes
            says so.
    """
    app = await asyncio.to_thread(create_app, trust=trust)
    configure(app.config.network)
    try:
        with suppress(DiskFull):  # deleting models makes room
            await asyncio.to_thread(app.place.prepare)
        await asyncio.to_thread(start_logging, app.place.log_dir, app.config.logging.level)
        yield app
    finally:
        await app.stock.close()
        await app.fleet.stop()
        await app.store.aclose()
        await asyncio.to_thread(app.workspaces.close)
        await asyncio.to_thread(stop_logging)
