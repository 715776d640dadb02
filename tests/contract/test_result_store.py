"""What every ResultStore does; run against the one on disk and the one in memory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rony_desktop.contract.error import ResultMissing
from rony_desktop.contract.message import ToolCall
from rony_desktop.contract.port import ResultStore
from rony_desktop.memory.result import ArtifactResultStore
from rony_desktop.store.artifact import FileArtifactStore
from tests.fake.result import FakeResultStore

CALL = ToolCall("c1", "read_file", "{}")


@pytest.fixture(params=["file", "fake"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> ResultStore:
    if request.param == "fake":
        return FakeResultStore()
    return ArtifactResultStore(FileArtifactStore(tmp_path / "artifacts"))


@pytest.mark.parametrize("content", ["", "words\n" * 2000, "é😀" * 3000, json.dumps([1] * 9000)])
async def test_a_result_comes_back_by_its_reference(store: ResultStore, content: str) -> None:
    text = await store.put(CALL, content)
    reference = json.loads(text)
    assert reference["tool"] == "read_file"
    assert reference["bytes"] == len(content.encode())
    assert len(text.encode()) < 2560
    assert await store.load(reference["ref"]) == content


async def test_each_result_is_its_own_until_it_is_deleted(store: ResultStore) -> None:
    one, two = [json.loads(await store.put(CALL, "same"))["ref"] for _ in range(2)]
    await store.delete(one)
    await store.delete(one)
    assert await store.load(two) == "same"
    for id in (one, "", "../x", "r99"):
        with pytest.raises(ResultMissing):
            await store.load(id)
