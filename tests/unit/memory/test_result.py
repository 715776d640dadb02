from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from rony_desktop.contract.message import ToolCall
from rony_desktop.memory.result import ArtifactResultStore
from rony_desktop.store.artifact import FileArtifactStore

CALL = ToolCall("c1", "read_file", '{"path": "a"}')
REFERENCE_BYTES = 2560


@pytest.fixture
def artifacts(tmp_path: Path) -> FileArtifactStore:
    return FileArtifactStore(tmp_path / "artifacts")


@pytest.fixture
def results(artifacts: FileArtifactStore) -> ArtifactResultStore:
    return ArtifactResultStore(artifacts)


async def told(results: ArtifactResultStore, content: str, call: ToolCall = CALL) -> dict[str, Any]:
    reference = await results.put(call, content)
    assert len(reference.encode()) < REFERENCE_BYTES
    found = json.loads(reference)
    assert isinstance(found, dict)
    return found


async def test_the_reference_tells_what_there_is_and_how_to_read_it(
    results: ArtifactResultStore, artifacts: FileArtifactStore
) -> None:
    content = "".join(f"line {number} is é\n" for number in range(2000))
    reference = await told(results, content)
    data = content.encode()
    assert await artifacts.load(reference["ref"]) == data
    assert reference["tool"] == "read_file"
    assert (reference["bytes"], reference["lines"]) == (len(data), 2000)
    assert reference["tokens"] == len(data) // 4
    assert reference["sha256"] == hashlib.sha256(data).hexdigest()
    assert reference["mime"] == "text/plain"
    assert reference["how"] == "read_output(ref, offset, limit) or search_output(ref, pattern)"
    assert content.startswith(reference["head"])
    assert content.endswith(reference["tail"])
    for part, limit in (("head", 1024), ("tail", 512)):
        assert limit - 20 < len(reference[part].encode()) <= limit
        assert reference[part].endswith("é\n")
    assert reference["tail"].startswith("line 19")


async def test_a_line_without_end_is_cut_between_characters(results: ArtifactResultStore) -> None:
    reference = await told(results, "x" + "é" * 10_000)
    assert reference["lines"] == 1
    assert reference["head"] == "x" + "é" * 511
    assert reference["tail"] == "é" * 256


async def test_a_last_line_too_long_for_the_tail_is_cut(results: ArtifactResultStore) -> None:
    reference = await told(results, "first\n" + "x" * 10_000 + "\n")
    assert reference["lines"] == 2
    assert reference["head"] == "first\n"
    assert reference["tail"] == "x" * 511 + "\n"


@pytest.mark.parametrize("character", ["\x01", '"', "\\", "\n", "\ud800", "😀", "\u202e"])
async def test_the_reference_stays_short(results: ArtifactResultStore, character: str) -> None:
    reference = await told(results, character * 9000, ToolCall("c", "n" * 64, ""))
    assert reference["head"]
    assert reference["tail"]
    assert await results.load(reference["ref"]) == character.replace("\ud800", "?") * 9000


async def test_json_is_told_by_keys_and_lengths(results: ArtifactResultStore) -> None:
    row = {"id": 5, "name": "Ada", "tags": [], "none": None, "yes": True, "size": 1.5}
    reference = await told(results, json.dumps({"items": [row] * 900, "next": "abc"}))
    assert reference["mime"] == "application/json"
    assert "head" not in reference
    assert reference["shape"] == {
        "items": {
            "array of 900, the first": {
                "id": "number",
                "name": "text of 3",
                "tags": "array of 0",
                "none": "null",
                "yes": "true",
                "size": "number",
            }
        },
        "next": "text of 3",
    }


async def test_much_json_is_told_less_deeply(results: ArtifactResultStore) -> None:
    wide = {f"key {number} {'x' * 100}": {"inner": list(range(100))} for number in range(100)}
    shape = (await told(results, json.dumps(wide)))["shape"]
    assert shape["…"] == "100 keys in all"
    assert len(shape) == 25
    assert shape[f"key 0 {'x' * 34}"] == "object of 1"
    assert all(len(key) <= 40 for key in shape)
    emoji = {"😀" * 100 + str(number): 1 for number in range(50)}
    assert (await told(results, json.dumps(emoji)))["shape"]
    deep = {"a": {"b": {"c": {"d": {"e": {"f": 1}}}}}}
    shape = (await told(results, " " * 9000 + json.dumps(deep)))["shape"]
    assert shape == {"a": {"b": {"c": {"d": "object of 1"}}}}


@pytest.mark.parametrize(
    "content",
    [
        "{not json}",
        '{"a": 1} and more',
        "[" * 100_000,
        '"a text"',
        '{"\\ud800": 1}',
        f"[{'9' * 10_000}",
        "[" + "1," * 4_000_000 + "1]",
    ],
)
async def test_what_is_no_json_is_text(results: ArtifactResultStore, content: str) -> None:
    assert (await told(results, content))["mime"] == "text/plain"


async def test_a_number_of_any_length_is_read(results: ArtifactResultStore) -> None:
    assert (await told(results, f"[{'9' * 100_000}]"))["shape"] == {
        "array of 1, the first": "number"
    }


@given(st.text(max_size=3000))
def test_any_text_comes_back(tmp_path_factory: pytest.TempPathFactory, content: str) -> None:
    folder = tmp_path_factory.getbasetemp() / "any"

    async def there_and_back() -> str:
        results = ArtifactResultStore(FileArtifactStore(folder))
        reference = await told(results, content)
        return await results.load(reference["ref"])

    assert asyncio.run(there_and_back()) == content


async def test_it_is_logged_without_its_words(
    results: ArtifactResultStore, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "rony.app"):
        reference = await told(results, "private words " * 1000)
    (line,) = [r.getMessage() for r in caplog.records if "TOOL_RESULT_STORED" in r.getMessage()]
    assert json.loads(line)["tool"] == "read_file"
    assert reference["ref"] in line
    assert "private" not in line


@pytest.mark.parametrize("kind", ["text", "json"])
async def test_five_megabytes_leave_the_loop_free(results: ArtifactResultStore, kind: str) -> None:
    rows = [{"id": n, "name": "x" * 20, "tags": ["a", "b"]} for n in range(80_000)]
    content = json.dumps(rows) if kind == "json" else "words and more words\n" * 250_000
    assert len(content) > 5_000_000
    held: list[float] = []  # the longest pause of the loop, as a part of the whole
    for _ in range(12):  # other programs may pause any one of them
        begun = last = time.perf_counter()
        longest = 0.0
        job = asyncio.create_task(results.put(CALL, content))
        while not job.done():
            await asyncio.sleep(0)
            longest, last = max(longest, time.perf_counter() - last), time.perf_counter()
        held.append(longest / (last - begun))
        reference = await job
        assert len(reference.encode()) < REFERENCE_BYTES
        assert await results.load(json.loads(reference)["ref"]) == content
        if held[-1] < 0.5:
            return
    raise AssertionError(held)
