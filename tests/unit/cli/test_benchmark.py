from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from rony_desktop.app.workshop import Workshop
from rony_desktop.cli import benchmark as module
from rony_desktop.cli.main import main
from rony_desktop.contract.error import ConfigValue, EngineError
from tests.fake.client import FakeBench
from tests.fixture.shop import workshop_of


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> FakeBench:
    bench = FakeBench(lambda *_: (900.0, 30.0))
    notice = ConfigValue(key="x", value="y", detail="z").failure()
    shop = replace(workshop_of(bench), notices=(notice,))

    @asynccontextmanager
    async def open_shop(name: str, *, trust: bool) -> AsyncIterator[Workshop]:
        if name == "broken":
            raise EngineError(detail="there is none")
        yield shop

    monkeypatch.setattr(module, "workshop", open_shop)
    return bench


def test_json_has_what_was_predicted_and_measured(
    bench: FakeBench, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--prompt", "64", "--prompt", "200", "--tokens", "16", "--repeats", "2"]
    assert main(["benchmark", "--json", *options]) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert found["model"] == "sample"
    assert found["engine"] == "engine b1"
    assert found["launch"]["threads"] == 3
    assert found["predicted"]["prompt_tokens"] == 200
    assert found["predicted"]["basis"] == "probe"
    short, long = found["runs"]
    assert short["prompt_tokens"] + 136 == long["prompt_tokens"]
    assert long["decode"] == pytest.approx({"best": 30.0, "median": 30.0, "spread": 0.0})
    assert "samples" not in long
    assert "measured 4 of 4" in err
    assert "rony-desktop: " in err


def test_text_says_it_in_a_line_each(bench: FakeBench, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["benchmark", "--repeats", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert "900.0 tok/s" in lines[1]
    assert "(by probe)" in lines[3]


def test_an_engine_that_is_missing_is_a_sentence(
    bench: FakeBench, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["benchmark", "--model", "broken"]) == 1
    assert "there is none" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--prompt", "--tokens", "--repeats"])
def test_numbers_below_one_are_refused(option: str) -> None:
    with pytest.raises(SystemExit):
        main(["benchmark", option, "0"])
