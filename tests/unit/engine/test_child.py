"""One engine: private files, a key of its own, a typed end."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import socket
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from rony_desktop.contract.build import Source
from rony_desktop.contract.engine import Launch
from rony_desktop.contract.error import BinaryUnusable, EngineDied, EngineNotReady, FolderUnwritable
from rony_desktop.engine.candidate import Candidate
from rony_desktop.engine.child import launch_child

Scripted = Callable[[str], Candidate]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def test_files_are_private_and_go_with_the_engine(
    scripted: Scripted, launch: Launch, run_dir: Path
) -> None:
    child = await launch_child(scripted("serve"), launch, run_dir, "chat", None)
    key_file = run_dir / f"engine-chat-{os.getpid()}.key"
    assert mode(run_dir) == 0o700
    assert mode(key_file) == 0o600
    assert key_file.read_text() == child.endpoint.key
    await child.ready(10)
    assert not key_file.exists()
    assert json.loads(key_file.with_suffix(".json").read_text())["pid"] == child.pid
    assert child.endpoint.socket == key_file.with_suffix(".sock")
    await child.end()
    assert list(run_dir.iterdir()) == []


async def test_key_is_new_each_time_and_never_shown(
    scripted: Scripted, launch: Launch, run_dir: Path
) -> None:
    keys = set()
    for _ in range(2):
        child = await launch_child(scripted("serve"), launch, run_dir, "chat", None)
        keys.add(child.endpoint.key)
        shown = Path(f"/proc/{child.pid}/cmdline").read_text()
        shown += Path(f"/proc/{child.pid}/environ").read_text() + repr(child.endpoint)
        assert child.endpoint.key not in shown
        await child.end()
    assert len(keys) == 2
    assert all(len(key) >= 32 for key in keys)


async def test_stale_files_do_not_stand_in_the_way(
    scripted: Scripted, launch: Launch, run_dir: Path
) -> None:
    run_dir.mkdir(mode=0o755)
    stem = run_dir / f"engine-chat-{os.getpid()}"
    stem.with_suffix(".key").write_text("old")
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(stem.with_suffix(".sock")))
    child = await launch_child(scripted("serve"), launch, run_dir, "chat", None)
    await child.ready(10)
    await child.end()


async def test_loopback_where_the_path_is_too_long_for_a_socket(
    scripted: Scripted, launch: Launch, tmp_path: Path
) -> None:
    deep = tmp_path / ("d" * 100)
    child = await launch_child(scripted("serve"), launch, deep, "chat", None)
    await child.ready(10)
    assert child.endpoint.socket is None
    assert child.endpoint.base_url.startswith("http://127.0.0.1:")
    await child.end()


async def test_port_the_user_set_is_used(scripted: Scripted, launch: Launch, run_dir: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    fixed = dataclasses.replace(launch, port=port)
    child = await launch_child(scripted("serve"), fixed, run_dir, "chat", None)
    await child.ready(10)
    assert child.endpoint.base_url == f"http://127.0.0.1:{port}"
    await child.end()


async def test_death_while_loading_is_told_at_once(
    scripted: Scripted, launch: Launch, run_dir: Path
) -> None:
    child = await launch_child(scripted("die"), launch, run_dir, "chat", None)
    with pytest.raises(EngineDied, match="the scripted cause"):
        await child.ready(60)
    await child.end()


async def test_deadline_of_the_start(scripted: Scripted, launch: Launch, run_dir: Path) -> None:
    child = await launch_child(scripted("stuck"), launch, run_dir, "chat", None)
    with pytest.raises(EngineNotReady) as caught:
        await child.ready(0.3)
    assert caught.value.params == {"seconds": "0.3"}
    await child.end()


async def test_talkative_engine_is_drained(
    scripted: Scripted, launch: Launch, run_dir: Path
) -> None:
    child = await launch_child(scripted("chatty"), launch, run_dir, "chat", None)
    await child.ready(10)
    await child.end()


async def test_engine_that_cannot_be_run_leaves_no_file(launch: Launch, run_dir: Path) -> None:
    missing = Candidate(Source.PATH, ("/none/llama-server",), Path("/none"), "none")
    with pytest.raises(BinaryUnusable):
        await launch_child(missing, launch, run_dir, "chat", None)
    assert list(run_dir.iterdir()) == []


async def test_unusable_folder_is_a_typed_error(
    scripted: Scripted, launch: Launch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FolderUnwritable) as caught:
        await launch_child(scripted("serve"), launch, tmp_path / "file" / "run", "chat", None)
    assert caught.value.params["detail"] == "Not a directory"


async def test_cancelled_wait_leaves_the_engine_to_its_owner(
    scripted: Scripted, launch: Launch, run_dir: Path
) -> None:
    child = await launch_child(scripted("stuck"), launch, run_dir, "chat", None)
    waiting = asyncio.create_task(child.ready(60))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert not child.exit.done()
    await child.end(grace_s=0)
