"""The last word of a program that fell over; needs next to nothing, for anything may be broken."""

from __future__ import annotations

import logging

from rony_desktop.log import EventTag, log_event, start_logging, stop_logging
from rony_desktop.store.place import Place


def keep_traceback(detail: str) -> None:
    """Write a traceback to app.log when the program that would have done so is down. Blocking."""
    start_logging(Place.of().log_dir, "error")
    log_event(EventTag.ERROR_STACKTRACE, logging.ERROR, detail=detail)
    stop_logging()
