"""The command line, run as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMMAND = (sys.executable, "-m", "rony_desktop")
LIMIT_S = 50.0


@dataclass(frozen=True)
class Said:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one JSON object on standard output."""
        lines = self.out.splitlines()
        assert len(lines) == 1, f"one line of JSON, not: {self.out!r} {self.err!r}"
        found = json.loads(lines[0])
        assert isinstance(found, dict)
        return found


def run(*arguments: str | Path, text: str = "", **env: str) -> Said:
    """Run the program to its end; standard input is text. No run may show a traceback."""
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        input=text,
        cwd=os.environ["HOME"],
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert "Traceback" not in done.stdout + done.stderr, done.stderr
    return Said(done.returncode, done.stdout, done.stderr)
