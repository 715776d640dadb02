"""Children: drained, in their own group, ended with everything they started."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from pathlib import Path

import psutil
import pytest

from rony_desktop.contract.error import BinaryUnusable
from rony_desktop.engine.process import Process, environment, spawn

ENV = {"PATH": os.environ["PATH"]}


async def start(script: str, tmp_path: Path, lines: list[str] | None = None) -> Process:
    on_line = lines.append if lines is not None else lambda _: None
    return await spawn(["/bin/sh", "-c", script], ENV, tmp_path, on_line)


async def line(lines: list[str], count: int = 1) -> str:
    async with asyncio.timeout(5):
        while len(lines) < count:
            await asyncio.sleep(0.01)
    return lines[count - 1]


async def test_output_comes_line_by_line_from_both_streams(tmp_path: Path) -> None:
    lines: list[str] = []
    process = await start("echo one; echo two >&2; printf three", tmp_path, lines)
    assert await process.exit == 0
    assert lines == ["one", "two", "three"]


async def test_output_beyond_the_pipe_never_blocks_the_child(tmp_path: Path) -> None:
    lines: list[str] = []
    process = await start("head -c 3000000 /dev/zero | tr '\\0' x", tmp_path, lines)
    async with asyncio.timeout(20):
        assert await process.exit == 0
    assert sum(map(len, lines)) == 3_000_000


async def test_child_is_leader_of_its_own_group(tmp_path: Path) -> None:
    process = await start("exec sleep 60", tmp_path)
    assert os.getpgid(process.pid) == process.pid != os.getpgrp()
    await process.end(grace_s=3)
    assert process.exit.result() == -signal.SIGTERM


async def test_deaf_child_is_killed_after_the_grace(tmp_path: Path) -> None:
    lines: list[str] = []
    process = await start("trap '' TERM; echo up; while :; do sleep 1; done", tmp_path, lines)
    await line(lines)
    await process.end(grace_s=0.2)
    assert process.exit.result() == -signal.SIGKILL


async def test_grandchildren_die_with_the_group(tmp_path: Path) -> None:
    lines: list[str] = []
    process = await start("sleep 60 & echo $!; wait", tmp_path, lines)
    grandchild = psutil.Process(int(await line(lines)))
    await process.end(grace_s=0)
    _, alive = psutil.wait_procs([grandchild], timeout=3)
    assert not alive


async def test_cancelled_end_still_kills(tmp_path: Path) -> None:
    lines: list[str] = []
    process = await start("trap '' TERM; echo up; while :; do sleep 1; done", tmp_path, lines)
    await line(lines)
    ending = asyncio.create_task(process.end(grace_s=60))
    await asyncio.sleep(0)
    ending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await ending
    async with asyncio.timeout(5):
        assert await process.exit == -signal.SIGKILL


async def test_ending_what_has_ended_is_nothing(tmp_path: Path) -> None:
    process = await start("exit 3", tmp_path)
    assert await process.exit == 3
    await process.end(grace_s=1)


@pytest.mark.parametrize("content", ["", "not a program\n"])
async def test_what_cannot_be_run_is_a_typed_error(tmp_path: Path, content: str) -> None:
    file = tmp_path / "engine"
    file.write_text(content)
    with pytest.raises(BinaryUnusable) as caught:
        await spawn([str(file)], ENV, tmp_path, lambda _: None)
    assert caught.value.params["detail"] == "Permission denied"


async def test_missing_program_is_a_typed_error(tmp_path: Path) -> None:
    with pytest.raises(BinaryUnusable, match="No such file"):
        await spawn([str(tmp_path / "none")], ENV, tmp_path, lambda _: None)


async def test_engines_start_from_the_main_thread_only(tmp_path: Path) -> None:
    errors: list[BaseException] = []

    def elsewhere() -> None:
        try:
            asyncio.run(spawn(["/bin/true"], ENV, tmp_path, lambda _: None))
        except RuntimeError as error:
            errors.append(error)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    await asyncio.to_thread(thread.join)
    assert "main thread" in str(errors[0])


def test_environment_holds_no_key_and_no_engine_setting() -> None:
    inherited = {
        "PATH": "/bin",
        "LC_ALL": "C",
        "GGML_VK_VISIBLE_DEVICES": "0",
        "OPENAI_API_KEY": "secret",
        "HF_TOKEN": "secret",
        "LLAMA_ARG_TOOLS": "all",
        "LLAMA_API_KEY": "secret",
        "PYTHONPATH": "/evil",
        "LD_PRELOAD": "/evil.so",
    }
    assert environment({}, inherited) == {
        "PATH": "/bin",
        "LC_ALL": "C",
        "GGML_VK_VISIBLE_DEVICES": "0",
    }


def test_library_path_of_the_candidate_stands_first() -> None:
    env = environment({"LD_LIBRARY_PATH": "/engine"}, {"LD_LIBRARY_PATH": "/user"})
    assert env["LD_LIBRARY_PATH"] == "/engine:/user"


def test_frozen_program_s_libraries_are_not_the_engine_s(monkeypatch: pytest.MonkeyPatch) -> None:
    inherited = {"LD_LIBRARY_PATH": "/bundle", "LD_LIBRARY_PATH_ORIG": "/user"}
    assert environment({}, inherited) == {"LD_LIBRARY_PATH": "/user"}
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert environment({}, {"LD_LIBRARY_PATH": "/bundle"}) == {}
