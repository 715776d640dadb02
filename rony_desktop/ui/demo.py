"""The window driven without a user: one question for machines without a display, a smoke test."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QGuiApplication

from rony_desktop import __version__
from rony_desktop.contract.engine import EngineState
from rony_desktop.contract.error import Failure, RonyError
from rony_desktop.ui.chat.view import ChatPane

if TYPE_CHECKING:
    from rony_desktop.app.context import AppContext
    from rony_desktop.ui.shell import Shell
    from rony_desktop.ui.window import MainWindow

SETTLE_S = 0.3
MIB = 1 << 20


class Echo:
    """A ChatView that prints the answer as it comes and shows it in the pane as well."""

    def __init__(self, pane: ChatPane) -> None:
        self._pane = pane

    def append_text(self, text: str) -> None:
        """Print and show a piece."""
        print(text, end="", flush=True)  # noqa: T201
        self._pane.append_text(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pane, name)


async def demo(
    app: AppContext, window: MainWindow, shell: Shell, options: argparse.Namespace
) -> int:
    """Type the question, send it, wait for the end, print the speed, save a picture."""
    try:
        await app.runtime.ready()
    except RonyError as error:
        print(f"rony-desktop: {error}", file=sys.stderr)  # noqa: T201
    print(f"> {options.demo}")  # noqa: T201
    window.chat.composer.set_text(options.demo)
    await shell.chat.send(window.chat.composer.text())
    await asyncio.sleep(SETTLE_S)
    if options.picture:
        Path(options.picture).parent.mkdir(parents=True, exist_ok=True)
        window.grab().save(options.picture)
        print(f"\n[picture: {options.picture}]", file=sys.stderr)  # noqa: T201
    response = shell.last
    if response is None or response.failure:
        print(f"rony-desktop: {response and response.failure}", file=sys.stderr)  # noqa: T201
        return 1
    timings = response.timings
    print(  # noqa: T201
        f"\n[{response.model}: {timings.decode_tokens_per_s:.1f} tok/s, "
        f"{response.usage.output_tokens} tokens, {response.stop_reason}]"
    )
    return 0


async def smoke(app: AppContext, painted_at: float, failures: Sequence[Failure]) -> int:
    """Wait until the model is loaded or cannot be, print one JSON line about this start.

    failures are what else went wrong on the way.
    """
    import psutil

    with contextlib.suppress(RonyError):
        await app.runtime.ready()
    me = psutil.Process()
    status = app.runtime.status()
    failure = status.failure or next(iter(failures), None)
    found = {
        "version": __version__,
        "platform": QGuiApplication.platformName(),
        "window_ms": round((painted_at - me.create_time()) * 1000, 1),
        "rss_mb": round(me.memory_info().rss / MIB, 1),
        "engine": str(status.state),
        "model": status.model,
        "error": str(failure) if failure else "",
    }
    print(json.dumps(found))  # noqa: T201
    return 0 if status.state is EngineState.READY and not failure else 1
