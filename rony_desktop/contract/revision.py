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
        before = {file.name: file.sha256 for file in self.had.files}
        return tuple(file for file in self.offered.files if before.get(file.name) != file.sha256)
