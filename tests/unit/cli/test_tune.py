from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from rony_desktop.app.workshop import Workshop
from rony_desktop.cli import tune as module
from rony_desktop.cli.main import main
from rony_desktop.contract.engine import Launch
from rony_desktop.contract.error import ConfigValue
from tests.fake.client import FakeBench, Rates
from tests.fixture.shop import workshop_of
from tests.fixture.speed import launch

Use = Callable[[Callable[[Launch, int], Rates | None]], None]
PLANNED = launch()


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Use:
    def chosen(speed: Callable[[Launch, int], Rates | None]) -> None:
        notice = ConfigValue(key="x", value="y", detail="z").failure()
        shop = replace(workshop_of(FakeBench(speed)), notices=(notice,))

        @asynccontextmanager
        async def open_shop(_name: str, *, trust: bool) -> AsyncIterator[Workshop]:
            yield shop

        monkeypatch.setattr(module, "workshop", open_shop)

    return chosen


def test_a_faster_setting_is_named(use: Use, capsys: pytest.CaptureFixture[str]) -> None:
    use(lambda each, _: (600.0, 60.0) if each.threads == 4 else (500.0, 50.0))
    assert main(["tune"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[-1].startswith("faster by 17%: threads 4")
    assert "one round" not in out.splitlines()[0]
    assert "run 2 of 24: threads 4" in err
    assert "rony-desktop: " in err


def test_json_has_every_trial(use: Use, capsys: pytest.CaptureFixture[str]) -> None:
    use(lambda each, _: (500.0, 50.0) if each == PLANNED else (100.0, 10.0))
    assert main(["tune", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["verdict"], found["changes"], found["gain"]) == ("kept", {}, 0.0)
    assert found["trials"][0] == {
        "changes": {},
        "prefill": 500.0,
        "decode": 50.0,
        "turn_s": pytest.approx(512 / 500 + 128 / 50),
        "noise": pytest.approx(0.0),
    }
    assert len(found["trials"]) == 8


def test_without_a_conclusion_the_command_fails(
    use: Use, capsys: pytest.CaptureFixture[str]
) -> None:
    use(lambda _, number: (300.0 * 2**number, 30.0 * 2**number))
    assert main(["tune"]) == 1
    assert "differ by 50%" in capsys.readouterr().out.splitlines()[-1]
