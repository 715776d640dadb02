"""What the status bar says of downloads: how far all of them are, then what was downloaded."""

from __future__ import annotations

from typing import Protocol

from rony_desktop.app.feed import Feed
from rony_desktop.contract.download import Download, DownloadState
from rony_desktop.contract.event import DownloadChanged, FeedEvent
from rony_desktop.ui.pulse import Pulse

PAUSE_S = 1.0
_IDLE = (DownloadState.PAUSED, DownloadState.DONE, DownloadState.FAILED)


class SegmentView(Protocol):
    """What is asked of the status bar."""

    def set_download(  # noqa: D102
        self, share: float | None, seconds_left: float | None = None, done: str = ""
    ) -> None: ...


class DownloadSegment:
    """Counts all that run as one; a name that was downloaded stays until it was seen."""

    def __init__(self, feed: Feed, view: SegmentView) -> None:
        self._view = view
        self._going: dict[str, Download] = {}
        self._done = ""
        self._pulse = Pulse(self._show, PAUSE_S)
        self._leave = feed.listen(self._heard)

    def seen(self) -> None:
        """The user looked at the downloads."""
        self._done = ""
        self._show()

    def close(self) -> None:
        """Stop listening."""
        self._pulse.stop()
        self._leave()

    def _heard(self, event: FeedEvent) -> None:
        if not isinstance(event, DownloadChanged):
            return
        download = event.download
        if event.removed or download.state in _IDLE:
            went = self._going.pop(download.id, None)
            if went is not None and download.state is DownloadState.DONE:
                self._done = download.name
        else:
            self._going[download.id] = download
        self._pulse.ask()

    def _show(self) -> None:
        if not self._going:
            self._view.set_download(None, done=self._done)
            return
        size = sum(each.size_bytes for each in self._going.values())
        there = sum(each.step.done_bytes for each in self._going.values())
        speed = sum(each.bytes_per_s or 0.0 for each in self._going.values())
        left = (size - there) / speed if speed else None
        self._view.set_download(there / size if size else 0.0, left)
