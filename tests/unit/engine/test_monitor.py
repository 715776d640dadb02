from __future__ import annotations

import subprocess
import sys

from rony_desktop.engine.monitor import held_bytes

MIB = 1 << 20
# Takes 64 MiB of its own and maps 64 MiB of a file, touches both, then waits.
CODE = """
import mmap, sys, tempfile
taken = bytearray(64 << 20)
taken[::4096] = b"x" * len(taken[::4096])
file = tempfile.TemporaryFile()
file.truncate(64 << 20)
mapped = mmap.mmap(file.fileno(), 0)
sum(mapped[n] for n in range(0, len(mapped), 4096))
print("ready", flush=True)
sys.stdin.read()
"""


def test_what_comes_free_is_its_own_memory_and_not_its_files() -> None:
    argv = [sys.executable, "-S", "-E", "-c", CODE]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        held = held_bytes(child.pid)
        assert 64 * MIB <= held < 112 * MIB
        child.communicate()
    assert held_bytes(child.pid) == 0
