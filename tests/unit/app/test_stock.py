"""What gets models and engines is made when it is asked for, and closed with the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.app.context import AppContext
from rony_desktop.app.factory import create_app
from rony_desktop.contract.download import DownloadState
from rony_desktop.contract.hub import HubFile, Quant

QUANT = Quant("Q4_K_M", (HubFile("who/what", "what.gguf", 10, "0" * 64),))


@pytest.fixture
async def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppContext:
    monkeypatch.chdir(tmp_path)
    # Nobody listens there.
    return create_app({"hub.endpoint": "http://127.0.0.1:9"})


async def test_every_part_is_made_once(app: AppContext) -> None:
    stock = app.stock
    assert stock.downloads is stock.downloads
    assert stock.discovery is stock.discovery
    assert stock.hub is stock.hub
    assert await stock.adoption.find() == ()
    assert stock.removal is stock.removal
    assert stock.installs.fixed in ("", "llama.binary_path")


async def test_a_download_of_an_earlier_run_is_taken_up(app: AppContext, tmp_path: Path) -> None:
    app.place.prepare()
    await app.stock.downloads.start(QUANT)
    await app.stock.close()
    later = create_app({"hub.endpoint": "http://127.0.0.1:9"}, place=app.place)
    await later.stock.restore()
    assert [each.quant for each in later.stock.downloads.list()] == [QUANT]
    assert later.stock.downloads.list()[0].state is not DownloadState.DONE
    await later.stock.close()


async def test_closing_what_was_never_used_is_nothing(app: AppContext) -> None:
    await app.stock.close()
