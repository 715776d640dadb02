"""Keeps Python's cycle collector on the window's thread: Qt's objects must not die in another."""

from __future__ import annotations

import gc


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
