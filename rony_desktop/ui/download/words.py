"""The words of downloads: how far, how fast, how long yet, and what the buttons do."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from rony_desktop.contract.download import Download, DownloadState
from rony_desktop.ui.approval.escape import visible
from rony_desktop.ui.dot import joined
from rony_desktop.ui.number import (
    bytes_per_second,
    count_text,
    duration_text,
    gigabytes,
    share_text,
    size_text,
)
from rony_desktop.ui.token import THIN


def share_of(download: Download) -> float:
    """What is there of it, from 0 to 1."""
    size = download.size_bytes
    return min(1.0, download.step.done_bytes / size) if size else 0.0


def amount(download: Download) -> str:
    """How much of it is there: 1.2 of 4.7 GB."""
    whole = size_text(download.size_bytes)
    if download.state is DownloadState.DONE:
        return whole
    done = there(download).partition(THIN)[0]
    return QCoreApplication.translate("download", "{0} of {1}").format(done, whole)


def there(download: Download) -> str:
    """What has come of it: 1.2 GB."""
    return size_text(download.step.done_bytes, download.size_bytes)


def state_word(download: Download) -> str:
    """Where it stands, "" where the numbers say it."""
    tr, step = QCoreApplication.translate, download.step
    reconnecting = tr("download", "Reconnecting")
    if step.attempt and step.attempts:
        tries = f"{count_text(step.attempt)}/{count_text(step.attempts)}"
        reconnecting = tr("download", "Reconnecting ({0})").format(tries)
    return {
        DownloadState.QUEUED: tr("download", "Queued"),
        DownloadState.RUNNING: "",
        DownloadState.STALLED: reconnecting,
        DownloadState.VERIFYING: tr("download", "Checking what is here"),
        DownloadState.PAUSED: tr("download", "Paused"),
        DownloadState.DONE: tr("download", "Done"),
        DownloadState.FAILED: tr("download", "Stopped"),
    }[download.state]


def progress(download: Download) -> str:
    """State, amount, speed and the time that is left, as far as they are known."""
    tr = QCoreApplication.translate
    parts = [state_word(download), amount(download)]
    if download.state is DownloadState.RUNNING:
        parts.append(share_text(share_of(download)))
    if download.bytes_per_s:
        parts.append(bytes_per_second(download.bytes_per_s))
    if download.seconds_left is not None:
        parts.append(tr("download", "{0} left").format(duration_text(download.seconds_left)))
    return joined(parts)


def origin(download: Download) -> str:
    """Whose model it is, and in how many files it comes."""
    tr, files = QCoreApplication.translate, len(download.quant.files)
    parts = [visible(download.model), download.quant.name]
    if files > 1:
        parts.append(tr("download", "{0} files").format(count_text(files)))
    return joined(parts)


def toggle_word(state: DownloadState) -> str:
    """What the first button does, "" where there is nothing to do."""
    tr = QCoreApplication.translate
    return {
        DownloadState.PAUSED: tr("download", "Resume"),
        DownloadState.FAILED: tr("download", "Try again"),
        DownloadState.DONE: tr("download", "Use now"),
    }.get(state, tr("download", "Pause"))


def cancel_word(state: DownloadState) -> str:
    """What the second button does."""
    tr = QCoreApplication.translate
    if state is DownloadState.DONE:
        return tr("download", "Remove from the list")
    return tr("download", "Cancel")


def disk_words(left_bytes: int | None) -> str:
    """How much room there is yet."""
    if left_bytes is None:
        return ""
    return QCoreApplication.translate("download", "{0} left on the disk").format(
        gigabytes(left_bytes)
    )
