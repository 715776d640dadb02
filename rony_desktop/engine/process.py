"""A child process that never outlives the program, its output always drained."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rony_desktop.contract.error import BinaryUnusable

CHUNK_BYTES = 32_768
LINE_BYTES = 65_536
DRAIN_S = 1.0
PR_SET_PDEATHSIG = 1  # linux/prctl.h

# What an engine needs: loader, locale, temporary files, GPU runtimes. Never LLAMA_*, which would
# change its flags, and never the user's keys.
ALLOWED = frozenset(
    (
        *("PATH", "HOME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP"),
        *("LD_LIBRARY_PATH", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME"),
        *("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE"),
        *("APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES"),
        *("NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE"),
    )
)
ALLOWED_PREFIXES = (
    *("LC_", "GGML_", "CUDA_", "NVIDIA_", "VK_", "MESA_", "HIP_", "HSA_", "ROCR_", "ROCM_"),
    *("ZE_", "SYCL_", "ONEAPI_", "OMP_", "GOMP_", "KMP_", "MTL_"),
)


class Process:
    """A child in its own process group; whoever spawned it owns it and awaits end()."""

    def __init__(self, child: asyncio.subprocess.Process, on_line: Callable[[str], None]) -> None:
        self.pid = child.pid
        self._child = child
        self.exit: asyncio.Task[int] = asyncio.create_task(self._follow(on_line))
        self._watcher: subprocess.Popen[bytes] | None = None

    async def end(self, grace_s: float) -> None:
        """Ask it to end, kill it after grace_s seconds; returns when it is gone.

        A cancellation while it waits kills it at once.
        """
        try:
            if grace_s > 0 and self._child.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    self._child.terminate()
                await asyncio.wait({self.exit}, timeout=grace_s)
        finally:
            self.kill()
        await asyncio.wait({self.exit})

    def kill(self) -> None:
        """Kill it with its whole group, unless it is gone."""
        if self._child.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            if sys.platform == "win32":
                self._child.kill()
            else:
                os.killpg(self.pid, signal.SIGKILL)

    async def _follow(self, on_line: Callable[[str], None]) -> int:
        drain = asyncio.create_task(self._drain(on_line))
        try:
            code = await self._child.wait()
            # Who inherited the pipe may keep it open; the cause is in what came until now.
            await asyncio.wait({drain}, timeout=DRAIN_S)
        finally:
            drain.cancel()
        if self._watcher is not None:
            await asyncio.to_thread(release, self._watcher)
        return code

    async def _drain(self, on_line: Callable[[str], None]) -> None:
        stream = self._child.stdout
        pending = b""
        while stream is not None and (chunk := await stream.read(CHUNK_BYTES)):
            *lines, pending = (pending + chunk).split(b"\n")
            if len(pending) > LINE_BYTES:
                lines.append(pending)
                pending = b""
            for line in lines:
                on_line(line.decode("utf-8", "replace").rstrip("\r"))
        if pending:
            on_line(pending.decode("utf-8", "replace"))

    def guard(self) -> None:
        """Make the system end it with this program, where that is done from outside the child."""
        if sys.platform == "win32":
            from rony_desktop.engine.job import join_job

            join_job(self.pid)
        elif sys.platform != "linux":
            self._watcher = watch(self.pid)


async def spawn(
    argv: list[str], env: Mapping[str, str], folder: Path, on_line: Callable[[str], None]
) -> Process:
    """Start argv in folder with exactly env; on_line gets each line of its output.

    Raises:
        BinaryUnusable: The system cannot run it.
    """
    if threading.current_thread() is not threading.main_thread():
        # Linux sends the parent-death signal when the forking thread ends, not the program.
        raise RuntimeError("an engine is started from the main thread only")
    try:
        child = await asyncio.create_subprocess_exec(
            *argv,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=dict(env),
            cwd=folder,
            **_own_group(),
        )
    except (OSError, subprocess.SubprocessError) as error:
        detail = getattr(error, "strerror", None) or str(error)
        raise BinaryUnusable(path=argv[0], detail=detail) from error
    process = Process(child, on_line)
    try:
        process.guard()
    except OSError as error:
        await process.end(grace_s=0)
        raise BinaryUnusable(path=argv[0], detail=error.strerror or str(error)) from error
    return process


def environment(
    additions: Mapping[str, str], inherited: Mapping[str, str] = os.environ
) -> dict[str, str]:
    """What a child may know of our environment, and the additions; library paths are put first."""
    env = {
        name: value
        for name, value in inherited.items()
        if name.upper() in ALLOWED or name.upper().startswith(ALLOWED_PREFIXES)
    }
    # A frozen program runs with its own libraries in front and keeps the user's value aside.
    if "LD_LIBRARY_PATH_ORIG" in inherited:
        env["LD_LIBRARY_PATH"] = inherited["LD_LIBRARY_PATH_ORIG"]
    elif getattr(sys, "frozen", False):
        env.pop("LD_LIBRARY_PATH", None)
    for name, value in additions.items():
        before = env.get(name) if name == "LD_LIBRARY_PATH" else None
        env[name] = f"{value}{os.pathsep}{before}" if before else value
    return env


def watch(pid: int) -> subprocess.Popen[bytes]:
    """Start the watcher that kills pid's group when this program is gone without release()."""
    return subprocess.Popen(  # noqa: S603 - our own module
        [sys.executable, "-P", "-m", "rony_desktop.engine.watch", str(pid)],
        stdin=subprocess.PIPE,
        env=environment({"PYTHONPATH": str(Path(__file__).parents[2])}),
        start_new_session=True,
    )


def release(watcher: subprocess.Popen[bytes]) -> None:
    """Tell the watcher that its child has ended, and let it go."""
    with contextlib.suppress(BrokenPipeError):
        watcher.communicate(b"ended")


def _own_group() -> dict[str, Any]:
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        return {"creationflags": flags}
    if sys.platform != "linux":
        return {"start_new_session": True}
    # Loaded here: after a fork only what is ready in memory is safe to call.
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    parent = os.getpid()

    def die_with_parent() -> None:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)

    return {"start_new_session": True, "preexec_fn": die_with_parent}
