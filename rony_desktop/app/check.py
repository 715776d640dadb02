"""What the doctor found, as a code with parameters; the shells put it into words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Literal

from rony_desktop.contract.error import Failure
from rony_desktop.redact import redact

Status = Literal["ok", "warning", "failed"]


class Found(StrEnum):
    """What a check found; its parameters are in the comment, sizes in bytes."""

    SYSTEM = "check.system"  # version, python, system
    FOLDERS = "check.folders"  # data, config
    DISK = "check.disk"  # free_bytes, folder
    DISK_SHORT = "check.disk_short"  # free_bytes, folder
    SETTINGS = "check.settings"  # path
    SETTINGS_DEFAULT = "check.settings_default"
    SANDBOX = "check.sandbox"  # mode
    SANDBOX_BROKEN = "check.sandbox_broken"  # the cause
    MEMORY = "check.memory"  # free_bytes, total_bytes, cores
    MEMORY_HELD = "check.memory_held"  # free_bytes, total_bytes, cores, held_bytes
    PROCESSOR = "check.processor"  # processor
    PROCESSOR_FULL = "check.processor_full"  # processor
    PROCESSOR_LACKS = "check.processor_lacks"  # processor, missing
    PROCESSOR_OLD = "check.processor_old"  # processor, missing
    MAINS = "check.mains"
    BATTERY = "check.battery"
    ENGINE = "check.engine"  # engine, build
    ENGINE_OLD = "check.engine_old"  # engine, build, floor
    ENGINE_SPARE = "check.engine_spare"  # engine, the cause
    ENGINE_BROKEN = "check.engine_broken"  # engine, the cause
    ENGINE_NONE = "check.engine_none"
    GPU = "check.gpu"  # device, gpu, free_bytes, total_bytes
    GPU_PLAIN = "check.gpu_plain"  # device, gpu
    GPU_NONE = "check.gpu_none"
    GPU_UNLISTED = "check.gpu_unlisted"  # gpu, engine
    GPU_UNASKED = "check.gpu_unasked"  # gpu
    MODEL = "check.model"  # model, architecture, quant, size_bytes, context
    MODEL_ELSEWHERE = "check.model_elsewhere"  # model


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: code is one of Found, or that of an error.

    cause is the error behind a finding that is more than the error itself.
    """

    name: str
    status: Status
    code: str
    params: Mapping[str, str] = field(default_factory=dict)
    cause: Failure | None = None

    @classmethod
    def of(cls, name: str, failure: Failure, status: Status = "failed") -> Check:
        """An error as a check."""
        return cls(name, status, failure.code, failure.params)


def shareable(text: str) -> str:
    """A report as it may be shown to others: no secrets, and the home folder is ~."""
    home = str(Path.home())
    if len(Path(home).parts) > 1:
        text = re.sub(rf"{re.escape(home)}(?![\w.-])", "~", text)
    return redact(text)
