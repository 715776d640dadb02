"""Memory of the process: one heap, and a cycle collector that stays on the window's thread.

Qt's objects must not die in another thread.
"""

from __future__ import annotations

import ctypes
import gc
import sys

M_ARENA_MAX = -8  # malloc.h of glibc


def use_one_heap() -> None:
    """Keep glibc from giving every thread a heap of its own; call it before there are any.

    Our threads allocate little, and their heaps cost 2 MB. Elsewhere nothing is done.
    """
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt:
            mallopt(M_ARENA_MAX, 1)


def keep_to_this_thread() -> None:
    """Stop collecting by itself, in whatever thread allocates; from now on collect() does it.

    What is there by now lives as long as the program and is not looked at again, so that a
    collection takes a millisecond or two.
    """
    gc.collect()
    gc.freeze()
    gc.disable()


def collect() -> None:
    """Free unreachable cycles; called where a few milliseconds are not noticed."""
    gc.collect()
