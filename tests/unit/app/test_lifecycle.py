"""Start and stop in order: nothing is left, and what cannot be is said."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import psutil
import pytest

from rony_desktop.app import lifecycle
from rony_desktop.app.context import AppContext
from rony_desktop.app.factory import create_app
from rony_desktop.app.id import new_id
from rony_desktop.app.lifecycle import opened, running, shutdown, startup
from rony_desktop.contract.engine import Endpoint, EngineState
from rony_desktop.contract.error import (
    FolderUnwritable,
    HubOffline,
    StorageError,
    StorageUnreadable,
)
from rony_desktop.contract.event import FeedEvent, Notice
from rony_desktop.log import EventTag, log_event
from rony_desktop.net import contacted, set_offline
from rony_desktop.store.place import Place
from tests.fixture.gguf import gguf

SCRIPT = Path(__file__).parents[2] / "fixture" / "engine_child.py"
DEADLINE_S = 15.0


@pytest.fixture
def rules(tmp_path: Path) -> str:
    file = tmp_path / "rules.json"
    file.write_text(json.dumps([{"match": "*", "response": "yes"}]), "utf-8")
    return f"scripted:{file}"


@pytest.fixture
def local(tmp_path: Path) -> dict[str, object]:
    """Flags that name a scripted engine and a small model."""
    program, model = tmp_path / "engine", tmp_path / "tiny.gguf"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S -E "{SCRIPT}" serve "$@"\n')
    program.chmod(0o755)
    model.write_bytes(gguf())
    return {"llama.binary_path": str(program), "llama.models.main.path": str(model)}


def children() -> list[psutil.Process]:
    return psutil.Process().children(recursive=True)


def others() -> set[asyncio.Task[object]]:
    return asyncio.all_tasks() - {asyncio.current_task()}  # type: ignore[arg-type]


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(DEADLINE_S):
        while not condition():
            await asyncio.sleep(0.01)


async def test_startup_makes_folders_and_returns_while_the_model_loads(
    local: dict[str, object],
) -> None:
    app = create_app(local)
    await startup(app)
    assert app.runtime.status().state is EngineState.LOADING
    assert app.place.sessions_dir.is_dir()
    assert "httpx" in sys.modules
    await app.runtime.ready()
    assert app.runtime.status().model == "tiny"
    assert len(children()) >= 1
    await shutdown(app)
    assert children() == []
    assert others() == set()


async def test_leftovers_are_ended_at_the_next_start(rules: str) -> None:
    app = create_app()
    app.place.prepare()
    stale = app.place.run_dir / "engine-chat-1.json"
    stale.write_text('{"pid": 0, "started": 0, "exe": "", "owner": 0, "owner_started": 0}')
    stale.with_suffix(".sock").touch()
    await startup(app, rules)
    assert not stale.exists()
    assert not stale.with_suffix(".sock").exists()
    await shutdown(app)


async def test_shutdown_in_mid_load_leaves_nothing(local: dict[str, object]) -> None:
    app = create_app(local)
    await startup(app)
    await until(children)
    await shutdown(app)
    assert children() == []
    assert others() == set()
    assert list(app.place.run_dir.glob("engine-*")) == []


async def test_an_unwritable_data_folder_is_said_and_everything_else_works(
    rules: str, own_home: Path
) -> None:
    blocked = Place.of().data_dir
    blocked.parent.mkdir(parents=True)
    blocked.write_text("in the way", "utf-8")
    app = create_app()
    with pytest.raises(FolderUnwritable, match=str(blocked)):
        await startup(app, rules)
    await app.runtime.ready()
    with pytest.raises(StorageError):
        await anext(app.chat.send(new_id(), "Hi"))
    await shutdown(app)
    assert others() == set()
    assert blocked.read_text("utf-8") == "in the way"


async def test_what_is_old_and_cannot_be_deleted_is_told_and_stops_nothing(
    rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = create_app()
    heard: list[FeedEvent] = []
    app.feed.listen(heard.append)
    app.place.prepare()
    old = app.place.artifacts_dir / f"{'0' * 26}.{'0' * 64}"
    old.write_text("old")
    os.utime(old, (0, 0))
    records = app.place.records_dir / "grants.json"
    records.write_text("{")

    unlink = Path.unlink

    def refuse(path: Path, *, missing_ok: bool = False) -> None:
        if path == old:
            raise PermissionError(13, "in use", str(path))
        unlink(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", refuse)
    await startup(app, rules)
    assert old.exists()
    codes = [event.failure.code for event in heard if isinstance(event, Notice)]
    assert codes == [FolderUnwritable.code, StorageUnreadable.code]
    await shutdown(app)


async def test_the_end_comes_in_order(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    app = create_app()
    await startup(app, rules)
    order: list[str] = []

    def noted(owner: object, name: str) -> None:
        work: Callable[[], Awaitable[None]] = getattr(owner, name)

        async def instead() -> None:
            order.append(f"{type(owner).__name__}.{name}")
            await work()

        monkeypatch.setattr(owner, name, instead)

    noted(app.chat, "close")
    noted(app.runtime, "stop")
    noted(app.store, "aclose")
    stop_logging = lifecycle.stop_logging
    monkeypatch.setattr(lifecycle, "stop_logging", lambda: (order.append("logs"), stop_logging()))
    await shutdown(app)
    assert order == ["ChatService.close", "Runtime.stop", "FileSessionStore.aclose", "logs"]


async def test_shutdown_keeps_an_answer_that_still_runs(tmp_path: Path) -> None:
    file = tmp_path / "long.json"
    file.write_text(json.dumps([{"match": "*", "response": "word " * 50_000}]), "utf-8")
    app = create_app()
    await startup(app, f"scripted:{file}")
    await app.runtime.ready()
    session, heard = new_id(), asyncio.Event()

    async def ask() -> None:
        async for _ in app.chat.send(session, "Hi"):
            heard.set()

    asking = asyncio.create_task(ask())
    await heard.wait()
    await shutdown(app)
    await asking
    kept = (app.place.sessions_dir / f"{session}.jsonl").read_text("utf-8").splitlines()
    end = json.loads(kept[-1])
    assert (end["kind"], end["body"]["status"]) == ("end", "interrupted")
    assert others() == set()


async def test_a_command_runs_and_everything_is_ended(rules: str) -> None:
    kept: list[AppContext] = []
    with pytest.raises(ValueError, match="the command"):
        async with running(rules) as app:
            kept.append(app)
            await app.runtime.ready()
            log_event(EventTag.LLM_REQUEST, detail="from the command")
            raise ValueError("the command")
    assert "from the command" in (kept[0].place.log_dir / "app.log").read_text("utf-8")
    assert others() == set()


@pytest.mark.parametrize(("asked", "used"), [(None, "lent"), ("lent", "lent"), ("tiny", "tiny")])
async def test_a_windows_engine_is_used_where_it_has_the_model(
    local: dict[str, object], monkeypatch: pytest.MonkeyPatch, asked: str | None, used: str
) -> None:
    async def shared(_: Path) -> tuple[str, Endpoint]:
        return "lent", Endpoint("http://127.0.0.1:9")

    monkeypatch.setattr(lifecycle, "shared_engine", shared)
    monkeypatch.setenv("RONY_LLAMA__BINARY_PATH", str(local["llama.binary_path"]))
    models = Place.of().models_dir
    models.mkdir(parents=True)
    (models / "tiny.gguf").write_bytes(gguf())
    async with running(asked) as app:
        await app.runtime.ready()
        assert app.runtime.status().model == used
        assert bool(children()) == (used == "tiny")


async def test_a_command_without_a_model_loads_none(
    local: dict[str, object], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RONY_LLAMA__BINARY_PATH", str(local["llama.binary_path"]))
    async with opened() as app:
        assert app.stock.installs.fixed == "llama.binary_path"
        assert app.stock.downloads.list() == ()
    assert app.runtime.status().state is EngineState.STOPPED
    assert not children()


async def test_models_can_be_deleted_where_the_disk_is_full(
    monkeypatch: pytest.MonkeyPatch, rules: str
) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no /dev/full on this system")
    monkeypatch.setattr("tempfile.TemporaryFile", lambda **_: full.open("wb", buffering=0))
    async with opened() as app:
        model = app.place.models_dir / "m.gguf"
        model.write_bytes(gguf())
        await app.stock.removal.remove(await app.stock.removal.plan("m"))
        assert not model.exists()


@pytest.fixture
def switch() -> Iterator[None]:
    yield
    set_offline(False)


@pytest.mark.usefixtures("switch")
async def test_offline_by_its_setting_everything_starts_and_nobody_is_contacted(
    local: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "https://offline-hub.invalid")
    monkeypatch.setenv("RONY_NETWORK__OFFLINE", "true")
    app = create_app(local)
    await startup(app)
    await app.runtime.ready()
    with pytest.raises(HubOffline, match=r"offline-hub\.invalid.*network\.offline"):
        await app.stock.discovery.search("x")
    await shutdown(app)
    set_offline(False)
    async with opened() as app:
        with pytest.raises(HubOffline):
            await app.stock.discovery.search("x")
    assert "offline-hub.invalid" not in contacted()
