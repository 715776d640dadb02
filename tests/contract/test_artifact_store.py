"""What every ArtifactStore does."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from rony_desktop.contract.error import ResultMissing
from rony_desktop.contract.message import Artifact
from rony_desktop.contract.port import ArtifactStore
from rony_desktop.store.artifact import FileArtifactStore


@pytest.fixture
def store(tmp_path: Path) -> ArtifactStore:
    return FileArtifactStore(tmp_path / "artifacts")


@pytest.mark.parametrize("data", [b"", b"data", bytes(range(256)), bytes(5_000_000)])
async def test_what_is_put_comes_back_until_it_is_deleted(
    store: ArtifactStore, data: bytes
) -> None:
    kept = await store.put(data, "out.bin", "application/octet-stream")
    assert kept == Artifact(kept.id, "out.bin", "application/octet-stream", len(data))
    assert await store.load(kept.id) == data
    await store.delete(kept.id)
    await store.delete(kept.id)
    with pytest.raises(ResultMissing) as caught:
        await store.load(kept.id)
    assert caught.value.params["id"] == kept.id


async def test_every_artefact_is_its_own(store: ArtifactStore) -> None:
    kept = await asyncio.gather(*(store.put(b"same", "x", "text/plain") for _ in range(20)))
    assert len({artifact.id for artifact in kept}) == 20
    await store.delete(kept[0].id)
    for artifact in kept[1:]:
        assert await store.load(artifact.id) == b"same"
