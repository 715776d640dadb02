"""Keeps the program's own files inside the folders made for them."""

from __future__ import annotations

from pathlib import Path

from rony_desktop.contract.error import OutsideFolder


class DirectoryGuard:
    """Resolves names below one folder; no sandbox for tools, which have their own."""

    def __init__(self, base: Path) -> None:
        self._base = base

    def resolve(self, name: str) -> Path:
        """The absolute path of a name below the folder, symbolic links followed.

        Raises:
            OutsideFolder: the name leads out of the folder, or is no name at all.
        """
        try:
            base = self._base.resolve()
            path = (base / name).resolve()
        except (OSError, RuntimeError, ValueError) as error:  # link loops, NUL, names too long
            raise OutsideFolder(path=name, folder=self._base) from error
        if base not in path.parents:
            raise OutsideFolder(path=name, folder=self._base)
        return path
