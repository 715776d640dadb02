"""Where nobody oversees an engine, it is started again as it was."""

from __future__ import annotations

from rony_desktop.contract.error import EngineKilled
from rony_desktop.engine.oversight import Oversight


def test_alone_an_engine_is_always_started_again() -> None:
    alone = Oversight()
    alone.beat()
    alone.awake()
    assert alone.again(EngineKilled())
