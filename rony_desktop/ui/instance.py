"""One window a user: a second start asks the first one to show itself."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QLockFile, QObject

from rony_desktop.app.neighbour import ADDRESS
from rony_desktop.ui.request import Answer

if sys.platform != "win32":
    # QtNetwork would do it everywhere, and costs every window 3 MB.
    from rony_desktop.ui.meeting import Meeting, ask
else:
    from rony_desktop.ui.pipe import Meeting, ask

WAIT_S = 5.0


class Instance(QObject):
    """Holds the lock of the first start and answers later ones, one JSON line each.

    The lock decides races, the socket carries requests; both lie in the user's private run folder.
    """

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._address = str(folder / ADDRESS)
        self._lock = QLockFile(str(folder / "window.lock"))
        self._lock.setStaleLockTime(0)
        self._meeting: Meeting | None = None

    def first(self) -> bool:
        """Whether this start is the first; it then holds the lock until close()."""
        return self._lock.tryLock(0)

    def serve(self, answer: Answer) -> None:
        """Answer requests of later starts with answer(request)."""
        self._meeting = Meeting(self._address, answer, self)

    def ask(self, request: Mapping[str, Any]) -> bool:
        """Send a request to the first window; true where it took it. Blocks for some seconds.

        A first window that is still on its way is waited for.
        """
        return ask(self._address, request, WAIT_S)

    def close(self) -> None:
        """Give up the lock and the socket."""
        if self._meeting:
            self._meeting.close()
            self._meeting = None
        self._lock.unlock()
