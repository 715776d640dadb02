"""A launch as a command for a shell."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from rony_desktop.contract.launch import Flag

PROGRAM = "llama-server"


def command(flags: Sequence[Flag]) -> str:
    """The whole command, quoted; address and key, which every start makes anew, are not in it."""
    words = [PROGRAM]
    for flag in flags:
        words += [flag.option, flag.value] if flag.value else [flag.option]
    return shlex.join(words)
