"""A traceback reaches app.log whatever else is down."""

from __future__ import annotations

import json
from collections.abc import Callable

from rony_desktop.app.crash import keep_traceback
from rony_desktop.store.place import Place

ExpectedLog = Callable[[str], None]


def test_a_traceback_is_kept_though_the_logs_are_closed(expected_log: ExpectedLog) -> None:
    expected_log("ERROR_STACKTRACE")
    keep_traceback("Traceback: boom")
    (line,) = (Place.of().log_dir / "app.log").read_text("utf-8").splitlines()
    _, level, event = line.split(" ", 2)
    assert level == "ERROR"
    assert json.loads(event) == {"event": "ERROR_STACKTRACE", "detail": "Traceback: boom"}
