"""How a server is reached, without its key on a screen."""

from __future__ import annotations

from rony_desktop.contract.engine import Endpoint, EngineState, EngineStatus


def test_a_key_is_never_printed() -> None:
    endpoint = Endpoint("http://engine", key="the-secret-key")
    assert "the-secret-key" not in f"{endpoint} {endpoint!r}"
    assert endpoint != Endpoint("http://engine", key="another")


def test_an_engine_begins_stopped() -> None:
    assert EngineStatus().state is EngineState.STOPPED
    assert EngineStatus().pid is None
