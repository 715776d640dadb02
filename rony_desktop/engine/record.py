"""Which engines run and for whom, on disk, so that a killed program's leftovers can be ended."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

# The kernel's idea of when it booted moves by a second when the clock is corrected.
TOLERANCE_S = 2.0
GONE_S = 3.0


@dataclass(frozen=True, slots=True)
class Record:
    """An engine and its owner; times are seconds since the epoch at which each was started."""

    pid: int
    started: float
    exe: str
    owner: int
    owner_started: float


def started(pid: int) -> float | None:
    """When a process was started; None where there is none (a zombie counts as none)."""
    import psutil

    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        return process.create_time()
    except psutil.Error:
        return None


def write_record(path: Path, pid: int) -> None:
    """Put a record of our child pid at path, whole or not at all. Blocking."""
    owner = os.getpid()
    record = Record(pid, started(pid) or 0.0, _exe(pid), owner, started(owner) or 0.0)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(asdict(record)), encoding="utf-8")
    part.replace(path)


def reap(folder: Path) -> list[int]:
    """End the engines in folder whose program is gone, never by name. Blocking; returns pids."""
    reaped = []
    for path in folder.glob("engine-*.json"):
        if not _is_ours(path):  # whoever else wrote it may not have our processes ended
            continue
        record = _read(path)
        if record is not None and _runs(record.owner, record.owner_started):
            continue
        if record is not None and _is_same(record):
            _kill(record.pid)
            reaped.append(record.pid)
        for suffix in (".sock", ".key", ".json"):
            path.with_suffix(suffix).unlink(missing_ok=True)
    return reaped


def _read(path: Path) -> Record | None:
    try:
        return Record(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _is_ours(path: Path) -> bool:
    if sys.platform == "win32":
        return True
    try:
        return path.lstat().st_uid == os.getuid()
    except FileNotFoundError:
        return False


def _runs(pid: int, since: float) -> bool:
    now = started(pid)
    return now is not None and abs(now - since) <= TOLERANCE_S


def _is_same(record: Record) -> bool:
    return _runs(record.pid, record.started) and _exe(record.pid) == record.exe


def _exe(pid: int) -> str:
    import psutil

    try:
        # Linux marks the file of a program that was updated while it ran.
        return psutil.Process(pid).exe().removesuffix(" (deleted)")
    except psutil.Error:
        return ""


def _kill(pid: int) -> None:
    import psutil

    with contextlib.suppress(ProcessLookupError, psutil.Error):
        process = psutil.Process(pid)
        if sys.platform != "win32" and os.getpgid(pid) == pid:
            os.killpg(pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait(GONE_S)
