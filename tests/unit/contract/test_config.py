"""Settings are frozen, strict, and know what was set."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from rony_desktop.contract.config import Config, MainModel, is_set


@pytest.mark.parametrize(
    "values",
    [
        {"nonsense": 1},
        {"app": {"max_steps": 0}},
        {"llama": {"models": {"main": {"port": 70_000}}}},
        {"llama": {"optimization_mode": "fastest"}},
        {"limits": {"tool_timeout_s": 0}},
        {"tools": {"permissions": {"shell": "maybe"}}},
        {"logging": {"level": "loud"}},
    ],
)
def test_what_makes_no_sense_is_refused(values: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Config.model_validate(values)


def test_values_are_frozen() -> None:
    with pytest.raises(ValidationError):
        Config().model = "x"


def test_a_default_that_is_written_down_counts_as_set() -> None:
    assert is_set(MainModel(port=8080), "port")
    assert not is_set(MainModel(), "port")


def test_every_setting_says_what_it_is() -> None:
    pending = [Config]
    while pending:
        section = pending.pop()
        for name, field in section.model_fields.items():
            kind = field.annotation
            if isinstance(kind, type) and issubclass(kind, Config.__base__):
                pending.append(kind)
            else:
                assert field.description, f"{section.__name__}.{name}"


@pytest.mark.parametrize("worker", ["10.0.0.9", "a b:1", "host:", "host:123456", "a:1,b:2", ""])
def test_a_worker_is_a_host_and_a_port(worker: str) -> None:
    assert Config().llama.rpc_workers == ()
    with pytest.raises(ValidationError):
        Config.model_validate({"llama": {"rpc_workers": [worker]}})
    good = Config.model_validate({"llama": {"rpc_workers": ["10.0.0.9:50052", "[::1]:1"]}})
    assert good.llama.rpc_workers == ("10.0.0.9:50052", "[::1]:1")


def test_an_engine_sleeps_after_an_hour_without_a_question() -> None:
    assert Config().llama.idle_stop_minutes == 60
