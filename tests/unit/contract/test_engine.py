"""How a server is reached, without its key on a screen."""

from __future__ import annotations

from rony_desktop.contract.engine import Buffer, Endpoint, EngineState, EngineStatus


def test_a_key_is_never_printed() -> None:
    endpoint = Endpoint("http://engine", key="the-secret-key")
    assert "the-secret-key" not in f"{endpoint} {endpoint!r}"
    assert endpoint != Endpoint("http://engine", key="another")


def test_an_engine_begins_stopped() -> None:
    assert EngineStatus().state is EngineState.STOPPED
    assert EngineStatus().pid is None


def test_the_memory_of_another_machine_is_not_this_ones() -> None:
    assert not Buffer("RPC0[localhost:50052]").on_host
    assert not Buffer("RPC0[cpu.lan:50052]").on_host
    assert Buffer("CUDA_Host").on_host
