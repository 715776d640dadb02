"""Windows' job object: structures as winnt.h lays them out, and the right calls."""

from __future__ import annotations

import ctypes
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import rony_desktop.engine

FILE = Path(rony_desktop.engine.__file__).with_name("job.py")


class Function:
    """A function of kernel32 that remembers its calls."""

    def __init__(self, result: int) -> None:
        self.result = result
        self.calls: list[tuple[Any, ...]] = []

    def __call__(self, *args: Any) -> int:
        self.calls.append(args)
        return self.result


class Kernel:
    def __init__(self) -> None:
        self.CreateJobObjectW = Function(7)
        self.SetInformationJobObject = Function(1)
        self.OpenProcess = Function(9)
        self.AssignProcessToJobObject = Function(1)
        self.CloseHandle = Function(1)


@pytest.fixture
def job(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(sys, "platform", "win32")
    spec = importlib.util.spec_from_file_location("job_on_windows", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_layout(job: ModuleType) -> None:
    assert ctypes.sizeof(job.BasicLimits) == 64
    assert ctypes.sizeof(job.ExtendedLimits) == 144
    assert job.BasicLimits.flags.offset == 16


def test_members_end_when_the_handle_closes(
    job: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = Kernel()
    monkeypatch.setattr(ctypes, "WinDLL", lambda *_, **__: kernel, raising=False)
    job.join_job(4711)
    job.join_job(4712)
    assert len(kernel.CreateJobObjectW.calls) == 1
    handle, kind, limits, size = kernel.SetInformationJobObject.calls[0]
    assert (handle, kind, size) == (7, 9, 144)
    assert limits._obj.basic.flags == 0x2000
    assert kernel.AssignProcessToJobObject.calls == [(7, 9), (7, 9)]
    assert [call[2] for call in kernel.OpenProcess.calls] == [4711, 4712]
    assert kernel.CloseHandle.calls == [(9,), (9,)]
