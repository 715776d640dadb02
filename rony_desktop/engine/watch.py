"""A small process that ends an engine whose program is gone: `python -m ... PID`.

For systems without a parent-death signal or job objects. Its standard input is a pipe held by the
program: the pipe closes without a word when the program dies, in whatever way.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys

from rony_desktop.engine.record import started


def main(pid: int) -> int:
    """Wait for the end of input; kill the group of pid unless the program said it has ended."""
    began = started(pid)
    if began is None or sys.stdin.buffer.read():
        return 0
    # A number may have gone to another process meanwhile.
    if started(pid) == began and sys.platform != "win32":
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
