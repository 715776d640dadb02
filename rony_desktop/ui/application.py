"""The Qt process: one instance, one event loop, the window's life from first paint to last write.

The only module that knows qasync.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from rony_desktop import __version__
from rony_desktop.app.neighbour import meeting_place, window_memory
from rony_desktop.contract.error import Failure
from rony_desktop.ui.demo import Echo, demo, smoke
from rony_desktop.ui.error import words
from rony_desktop.ui.garbage import keep_to_this_thread, use_one_heap
from rony_desktop.ui.icon import app_icon
from rony_desktop.ui.instance import Instance
from rony_desktop.ui.task import Tasks
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.window import MainWindow

# The program behind the window; it is imported after the first paint.
LATER = ("rony_desktop.app.lifecycle", "rony_desktop.ui.shell")
THREADS = 4
# The terminal that started the window was closed; Windows has no such signal.
HANG_UP = getattr(signal, "SIGHUP", signal.SIGTERM)
# What names a screen on Linux; where none is set, Qt would end the process with a core dump.
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "QT_QPA_PLATFORM")


def open_window(options: argparse.Namespace) -> int:
    """Open the window and return when it is closed; a second start shows the first one's."""
    if sys.platform == "linux" and not any(map(os.environ.get, SCREENS)):
        if not (options.demo or options.smoke):
            return _refused("there is no display; `ask`, `chat` and `doctor` work without one.")
        os.environ["QT_QPA_PLATFORM"] = "offscreen"  # nobody has to see these
    use_one_heap()
    qt = QApplication(sys.argv[:1])
    qt.setApplicationName("rony-desktop")
    qt.setApplicationDisplayName("Rony")
    qt.setApplicationVersion(__version__)
    qt.setDesktopFileName("rony-desktop")
    qt.setWindowIcon(app_icon())
    # A steady cursor: a blinking one would repaint the window twice a second for ever.
    qt.setCursorFlashTime(0)
    # The loop ends through our own future: with Qt's way it would end under running tasks.
    qt.setQuitOnLastWindowClosed(False)
    instance = Instance(meeting_place(), qt)
    if not instance.first():
        if options.demo or options.smoke:
            return _refused("a window is open; close it first.")
        if instance.ask({"want": "show"}):
            return 0
        return _refused("it already runs and does not answer; end it, then start again.")
    with event_loop(qt) as loop:
        return int(loop.run_until_complete(_run(qt, instance, options)))


def _refused(why: str) -> int:
    print(f"rony-desktop: {why}", file=sys.stderr)  # noqa: T201
    return 1


def event_loop(qt: QApplication) -> QEventLoop:
    """The one loop of the process: Qt's, for asyncio."""
    loop = QEventLoop(qt)
    # qasync's own executor would start ten threads at once; these start as they are needed.
    loop.set_default_executor(ThreadPoolExecutor(THREADS, "rony"))
    return loop


def _window(qt: QApplication) -> MainWindow:
    """The window as it was left; a signal closes it as the user does."""
    theme = Theme()
    theme.apply(qt)
    window = MainWindow(theme)
    loop = asyncio.get_running_loop()
    for number in {signal.SIGTERM, signal.SIGINT, HANG_UP}:
        loop.add_signal_handler(number, window.close)
    window.fit_screen()
    window.remember(window_memory())
    return window


async def _run(qt: QApplication, instance: Instance, options: argparse.Namespace) -> int:
    """Show the window first; the program behind it is imported and built after the first paint."""
    window = _window(qt)
    painted, closed = asyncio.Event(), asyncio.Event()
    window.painted.connect(painted.set)
    window.closed.connect(closed.set)
    window.show()
    await painted.wait()
    begun = time.time()
    await asyncio.to_thread(lambda: [import_module(name) for name in LATER])
    from rony_desktop.app.factory import create_app
    from rony_desktop.app.lifecycle import shutdown, startup
    from rony_desktop.ui.shell import Shell

    # A demonstration shows what works, not what luck brings.
    flags = {"provider.temperature": 0.0} if options.demo else {}
    app = await asyncio.to_thread(create_app, flags, trust=options.trust)
    failures: list[Failure] = []

    def failed(failure: Failure) -> None:
        # Not where the engine's failures stand: those go away once it is ready.
        failures.append(failure)
        window.notice.show_error(words(failure))

    tasks = Tasks(failed)
    echo = Echo(window.chat) if options.demo else None
    shell = Shell(app, window, tasks, echo)
    instance.serve(shell.answer)
    shell.start()
    try:
        await tasks.spawn(startup(app, options.model or ""), "start")
        await tasks.spawn(app.stock.restore(), "downloads")
        keep_to_this_thread()
        if options.smoke:
            return await smoke(app, begun, failures)
        if options.demo:
            return await demo(app, window, shell, options)
        await closed.wait()
    finally:
        shell.close()
        await tasks.close()
        await shutdown(app)
        instance.close()
    return 0
