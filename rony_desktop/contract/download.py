"""Downloads of models, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from rony_desktop.contract.error import Failure

if TYPE_CHECKING:  # a start asks only whether there are any
    from rony_desktop.contract.hub import Quant

DOWNLOADS = "download"
"""The kind of the records of downloads."""
PAGE = ".part.json"
"""How the name of the file ends that tells what is being downloaded beside it."""


class DownloadState(StrEnum):
    """Where a download stands.

    Stalled: nothing comes, and it is being tried again. Verifying: what is kept is being read.
    """

    QUEUED = "queued"
    RUNNING = "running"
    STALLED = "stalled"
    VERIFYING = "verifying"
    PAUSED = "paused"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Step:
    """How far a download has come; attempt counts reconnections in a row, of attempts.

    note is what the user should know of it although it goes on.
    """

    state: DownloadState
    done_bytes: int = 0
    attempt: int = 0
    attempts: int = 0
    note: Failure | None = None
    disk_left_bytes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """A download as the window shows it; target is where the model will be.

    bytes_per_s and seconds_left are None while they are not known.
    """

    id: str
    quant: Quant
    target: Path
    step: Step
    bytes_per_s: float | None = None
    seconds_left: float | None = None
    failure: Failure | None = None

    @property
    def state(self) -> DownloadState:
        """Where it stands."""
        return self.step.state

    @property
    def model(self) -> str:
        """The hub's id of the model."""
        return self.quant.model

    @property
    def name(self) -> str:
        """The name of the file, of the first where there are several."""
        return self.target.name

    @property
    def size_bytes(self) -> int:
        """All of it."""
        return self.quant.size_bytes
