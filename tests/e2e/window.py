"""The real window as a child process, driven by keys and clicks of the X server."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage

from rony_desktop.ui.token import LIGHT
from tests.e2e.deadline import until
from tests.e2e.home import Chat, Home, Lent, is_gone
from tests.e2e.program import COMMAND

OPEN_S = 30.0
READY_S = 60.0
CLOSE_S = 20.0
KEY_MS = 4
PICTURES = Path(__file__).resolve().parents[2] / "build" / "picture"
# look.md: what stands where, in pixels.
SIDEBAR, COLUMN, STATUS = 260, 760, 24
FIRST_CHAT = (SIDEBAR // 2, 137)
ACCENT = LIGHT.accent
# In pixels: the shortest run of a colour, the longest gap in it, and what is more than a line.
RUN, GAP, THICK = 5, 4, 8

GRAB = """
import sys
from PySide6.QtGui import QGuiApplication
app = QGuiApplication([])
app.primaryScreen().grabWindow(int(sys.argv[2])).save(sys.argv[1])
"""
CLIPBOARD = """
import sys
from PySide6.QtGui import QGuiApplication
app = QGuiApplication([])
sys.stdout.write(app.clipboard().text())
"""
OWN_CLIPBOARD = """
import sys
from PySide6.QtGui import QGuiApplication
app = QGuiApplication([])
app.clipboard().setText(sys.stdin.read())
app.processEvents()
print("ready", flush=True)
app.exec()
"""


def xdotool(*words: object) -> str:
    """Run xdotool; its output, empty where it found nothing."""
    done = subprocess.run(
        ["xdotool", *map(str, words)], capture_output=True, text=True, timeout=60, check=False
    )
    return done.stdout.strip()


def picture(file: Path, window: str = "0") -> Path:
    """Save what is on the screen, or in one window of it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-c", GRAB, file, window]
    subprocess.run(command, capture_output=True, timeout=30, check=False)
    return file


def clipboard() -> str:
    """The text on the clipboard."""
    command = [sys.executable, "-c", CLIPBOARD]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=True).stdout


def filled(file: Path, colour: str = ACCENT) -> list[QRect]:
    """What is filled with a colour in a picture, such as buttons, from top to bottom."""
    image = QImage(str(file)).convertToFormat(QImage.Format.Format_RGB32)
    pixel = QColor(colour).rgb().to_bytes(4, sys.byteorder)
    run = re.compile(b"(?:%b){%d,}" % (re.escape(pixel), RUN))
    found: list[QRect] = []
    for y in range(image.height()):
        for match in run.finditer(bytes(image.constScanLine(y))):
            if match.start() % 4:
                continue
            line = QRect(match.start() // 4, y, (match.end() - match.start()) // 4, 1)
            near = line.adjusted(0, -GAP, 0, 0)
            same = next((n for n, box in enumerate(found) if box.intersects(near)), None)
            if same is None:
                found.append(line)
            else:
                found[same] |= line
    return [box for box in found if box.height() >= THICK]


class Window:
    """One running window; whoever opened it closes it."""

    def __init__(self, home: Home, *arguments: str) -> None:
        self.home = home
        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            cwd=os.environ["HOME"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.id = until(lambda: self.visible() or self._ended(), OPEN_S, "the window is open")

    def visible(self) -> str:
        """The X id of the window where it can be seen, else empty."""
        own = ("search", "--all", "--onlyvisible", "--pid", self.process.pid)
        return xdotool(*own, "--name", "Rony$").partition("\n")[0]

    def _ended(self) -> str:
        code = self.process.poll()
        assert code is None, (
            f"ended with {code}: {self.process.stdout and self.process.stdout.read()}"
        )
        return ""

    @contextlib.contextmanager
    def engine(self) -> Iterator[Lent]:
        """The engine, once it is ready."""
        lent = until(self.home.lent, READY_S, "the engine is ready")
        try:
            yield lent
        finally:
            lent.close()

    def wait_built(self) -> None:
        """Return when the program behind the window is there."""
        until(lambda: self.home.answered() is not None or self._ended(), OPEN_S, "it is built")

    def wait_ready(self) -> None:
        """Return when the engine is ready."""
        with self.engine():
            pass

    def focus(self) -> None:
        """Be the window that gets the keys."""
        xdotool("windowactivate", "--sync", self.id)

    def key(self, *keys: str) -> None:
        """Press keys, by their X names."""
        xdotool("key", *keys)

    def write(self, text: str) -> None:
        """Type text, key by key."""
        xdotool("type", "--delay", KEY_MS, text)

    def paste(self, text: str) -> None:
        """Put text on the clipboard and press Ctrl+V."""
        with subprocess.Popen(
            [sys.executable, "-c", OWN_CLIPBOARD],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as owner:
            assert owner.stdin is not None
            assert owner.stdout is not None
            owner.stdin.write(text)
            owner.stdin.close()
            assert owner.stdout.readline() == "ready\n"
            self.focus()
            self.key("ctrl+v", "Return")
            self.asked(text)
            owner.kill()

    def ask(self, question: str) -> Chat:
        """Type a question and send it; the chat, once the question is kept."""
        self.focus()
        self.write(question)
        self.key("Return")
        return self.asked(question)

    def asked(self, question: str) -> Chat:
        """The chat whose newest question is this one, once it is kept."""

        def found() -> Chat | None:
            chats = [c for c in self.home.chats() if c.questions[-1:] == [question]]
            return chats[-1] if chats else None

        return until(found, OPEN_S, f"kept: {question[:60]!r}")

    def click(self, place: tuple[int, int]) -> None:
        """Click at a place of the window, counted from its left upper corner."""
        self.focus()
        xdotool("mousemove", "--sync", "--window", self.id, *place, "click", 1)

    def filled(self) -> list[QRect]:
        """The buttons and boxes of the accent colour in the conversation, from top to bottom."""
        width, _ = self.size
        room = QRect(SIDEBAR, 0, width - SIDEBAR, self.stop_button[1] - STATUS)
        shot = picture(PICTURES / f"seen_{self.id}.png", self.id)
        return [box for box in filled(shot) if room.contains(box)]

    def copied(self) -> str:
        """The text of the conversation, as the user copies it."""
        self.click((SIDEBAR + 12, self.size[1] // 2))
        self.key("ctrl+a", "ctrl+c")
        return clipboard()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height without the frame."""
        shell = xdotool("getwindowgeometry", "--shell", self.id)
        found = dict(re.findall(r"(\w+)=(\d+)", shell))
        return int(found["WIDTH"]), int(found["HEIGHT"])

    @property
    def stop_button(self) -> tuple[int, int]:
        """The middle of the button that is Send or Stop."""
        width, height = self.size
        column = min(COLUMN, width - SIDEBAR - 48)
        return SIDEBAR + (width - SIDEBAR + column) // 2 - 24, height - STATUS - 16 - 8 - 16

    def family(self) -> list[psutil.Process]:
        """Every process this window started."""
        try:
            return psutil.Process(self.process.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return []

    def close(self) -> None:
        """Close it as a user does; it ends well and leaves no process."""
        family = self.family()
        self.focus()
        self.key("ctrl+q")
        said, _ = self.process.communicate(timeout=CLOSE_S)
        assert self.process.returncode == 0, said
        assert "Traceback" not in said, said
        assert [process for process in family if not is_gone(process)] == []

    def end(self) -> None:
        """End whatever is left of it."""
        for process in [*self.family(), *self.home.engines()]:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        self.process.kill()
        self.process.communicate()


@contextlib.contextmanager
def opened(home: Home, *arguments: str, at_once: bool = False) -> Iterator[Window]:
    """A window for the length of a block; where the block fails its picture is kept.

    at_once gives it as soon as it can be seen, while the program behind it is still being built.
    """
    window = Window(home, *arguments)
    try:
        if not at_once:
            window.wait_built()
        yield window
    except BaseException as error:
        name = re.sub(r"\W+", "_", os.environ.get("PYTEST_CURRENT_TEST", "window").split("::")[-1])
        error.add_note(f"picture: {picture(PICTURES / f'failed_{name}.png')}")
        error.add_note(f"app.log: {home.log()[-2000:]}")
        raise
    finally:
        window.end()
