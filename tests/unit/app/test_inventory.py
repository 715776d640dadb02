"""What there is of models: files, folders that are not there, downloads that were begun."""

from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.app.factory import create_app
from rony_desktop.app.inventory import take_inventory
from rony_desktop.contract.download import DOWNLOADS, DownloadState
from rony_desktop.contract.hub import HubFile, Quant
from rony_desktop.contract.root import RootState
from rony_desktop.model.part import to_json
from tests.fixture.store import model, put

QUANT = Quant("Q8_0", (HubFile("maker/new", "new-Q8_0.gguf", 1000, "0" * 64),))


async def test_everything_is_told_and_nothing_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    gone = tmp_path / "unplugged"
    app = create_app({"hub.endpoint": "http://127.0.0.1:9", "llama.models_dirs": [str(gone)]})
    app.place.prepare()
    own = put(app.place.models_dir / "maker" / "Z-Q4_K_M.gguf", model("z"))
    put(app.place.models_dir / "a.gguf", model("a"))
    record = {"quant": to_json(QUANT), "state": "queued"}
    await app.records.put(DOWNLOADS, "1", record)

    found = await take_inventory(app)
    assert [(held.id, held.quant) for held in found.models] == [("a", ""), ("Z-Q4_K_M", "Q4_K_M")]
    last = found.models[-1]
    assert (last.path, last.folder, last.size_bytes) == (
        own,
        app.place.models_dir,
        own.stat().st_size,
    )
    assert {root.folder: root.state for root in found.roots}[gone] is RootState.MISSING
    (unfinished,) = found.unfinished
    assert (unfinished.quant, unfinished.state) == (QUANT, DownloadState.PAUSED)
    assert await app.records.get(DOWNLOADS, "1") == record
    await app.stock.close()


async def test_two_makers_of_one_name_are_both_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    app = create_app()
    app.place.prepare()
    both = [
        put(app.place.models_dir / maker / "m-Q4_0.gguf", model(maker)) for maker in ("one", "two")
    ]
    found = await take_inventory(app)
    assert [held.path for held in found.models] == both
    assert app.models.resolve("m-Q4_0").path == both[0]
    await app.stock.close()
