"""A model that its hub has in a newer form."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rony_desktop.contract.hub import HubFile, Quant


@dataclass(frozen=True, slots=True)
class Revision:
    """What the hub has now of a model that was downloaded: had is here, offered would replace it.

    path is its first file here.
    """

    path: Path
    had: Quant
    offered: Quant

    @property
    def changed(self) -> tuple[HubFile, ...]:
        """The files whose content is another one now, or new."""
        before = {file.name: file for file in self.had.files}
        return tuple(file for file in self.offered.files if _differs(before.get(file.name), file))

    @property
    def fetched_bytes(self) -> int:
        """What an update downloads."""
        return sum(file.size_bytes for file in self.changed)


def _differs(before: HubFile | None, now: HubFile) -> bool:
    if before is None or before.size_bytes != now.size_bytes:
        return True
    # Some mirrors tell no hashes: that says nothing.
    return bool(before.sha256 and now.sha256) and before.sha256 != now.sha256
