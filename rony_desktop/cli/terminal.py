"""What the user types, read so that Ctrl+C is heard while nothing comes."""

from __future__ import annotations

import asyncio
import os
import sys

LINE_BYTES = 65_536


async def read_line(prompt: str = "") -> str | None:
    """The next line, None at the end of input; the prompt is shown at a terminal only.

    At a terminal no thread waits for it: one that does holds up the program's end until the user
    presses Enter, or ends it with a fatal error.
    """
    if not sys.stdin.isatty():
        return await asyncio.to_thread(_read)
    print(prompt, end="", flush=True)
    loop, terminal = asyncio.get_running_loop(), sys.stdin.fileno()
    typed = asyncio.Event()
    try:
        loop.add_reader(terminal, typed.set)
    except NotImplementedError:  # Windows
        return await asyncio.to_thread(_read)
    try:
        await typed.wait()
    finally:
        loop.remove_reader(terminal)
    return _take(terminal)


async def read_all() -> str:
    """Everything until the end of input."""
    if not sys.stdin.isatty():
        return await asyncio.to_thread(sys.stdin.read)
    lines = []
    while (line := await read_line()) is not None:
        lines.append(line)
    return "\n".join(lines)


def _take(terminal: int) -> str | None:
    """The line a terminal has ready; None where it ended."""
    try:
        line = os.read(terminal, LINE_BYTES)
    except OSError:
        return None
    return line.decode(sys.stdin.encoding, "replace").rstrip("\n") if line else None


def _read() -> str | None:
    try:
        return input()
    except UnicodeDecodeError:
        return ""
    except (EOFError, OSError):
        return None
