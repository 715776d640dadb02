"""`models pull`: one download with its progress; Ctrl+C pauses it."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys

from rony_desktop.app.context import AppContext
from rony_desktop.contract.download import Download, DownloadState
from rony_desktop.contract.error import DownloadError
from rony_desktop.contract.event import DownloadChanged, FeedEvent
from rony_desktop.contract.size import MB, gb

ERASE = "\r\x1b[K"
_ENDS = (DownloadState.DONE, DownloadState.FAILED)


async def pull(app: AppContext, options: argparse.Namespace) -> int:
    """Download a model, or go on with it; the path of the model is printed at the end."""
    model, _, name = options.name.partition(":")
    quant = await app.stock.discovery.pick(model, name)
    downloads = app.stock.downloads
    await downloads.restore(go_on=False)
    watch = Watch()
    unlisten = app.feed.listen(watch.hear)
    id = await downloads.start(quant)
    watch.follow(id, downloads.list())
    try:
        await watch.over.wait()
    except asyncio.CancelledError:
        await downloads.pause(id)
        command = f"rony-desktop models pull {options.name}"
        print(f"{watch.erase}Paused. Go on with: {command}", file=sys.stderr)
        raise
    finally:
        unlisten()
    return _end(watch, options)


def _end(watch: Watch, options: argparse.Namespace) -> int:
    download = watch.download
    if download is None:
        raise DownloadError(name=options.name, detail="it was taken off the list")
    print(watch.erase, end="", file=sys.stderr)
    if download.failure:
        print(f"rony-desktop: {download.failure}", file=sys.stderr)
        return 1
    if options.json:
        said = {"path": str(download.target), "model": download.model}
        print(json.dumps({**said, "quant": download.quant.name, "size_bytes": download.size_bytes}))
    else:
        print(download.target)
    return 0


class Watch:
    """Follows one download, and shows it to who looks at a terminal."""

    def __init__(self) -> None:
        self.over = asyncio.Event()
        self.download: Download | None = None
        self._id = ""
        self._noted = ""

    @property
    def erase(self) -> str:
        """What takes the line of progress away."""
        return ERASE if sys.stderr.isatty() else ""

    def follow(self, id: str, downloads: tuple[Download, ...]) -> None:
        """Take this one of the list."""
        self._id = id
        for download in downloads:
            self.hear(DownloadChanged(download))

    def hear(self, event: FeedEvent) -> None:
        """Take in what the feed says."""
        if not isinstance(event, DownloadChanged) or event.download.id != self._id:
            return
        self.download = event.download
        self._show(event.download)
        if event.download.state in _ENDS:
            self.over.set()

    def _show(self, download: Download) -> None:
        note = str(download.step.note or "")
        if note and note != self._noted:
            print(f"{self.erase}rony-desktop: {note}", file=sys.stderr)
        self._noted = note or self._noted
        if sys.stderr.isatty():
            print(f"{ERASE}{line(download)}", end="", file=sys.stderr, flush=True)


def line(download: Download) -> str:
    """How far it is: 42 %  31.0 MB/s  2 min 5 s left  51.0 GB free."""
    step = download.step
    share = step.done_bytes / download.size_bytes if download.size_bytes else 0.0
    words = [f"{share:4.0%}"]
    if step.state is DownloadState.STALLED:
        words.append(f"nothing comes, attempt {step.attempt} of {step.attempts}")
    elif step.state is not DownloadState.RUNNING:
        words.append(step.state.value)
    if download.bytes_per_s is not None:
        words.append(f"{download.bytes_per_s / MB:.1f} MB/s")
    if download.seconds_left is not None:
        words.append(f"{_time(download.seconds_left)} left")
    if step.disk_left_bytes is not None:
        words.append(f"{gb(step.disk_left_bytes)} free")
    return "  ".join(words)


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
