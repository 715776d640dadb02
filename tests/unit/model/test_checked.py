from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from rony_desktop.contract.check import ModelCheck, Part, Shape, ShapeCheck, ToolMode, ToolScore
from rony_desktop.contract.error import ModelTemplate
from rony_desktop.model.checked import KIND, known, remember
from tests.fake.record import FakeRecordStore
from tests.fixture.speed import model

CHECK = ModelCheck(
    build="engine b1",
    mode=ToolMode.ENVELOPE,
    shapes=(
        ShapeCheck(Shape.SYSTEM),
        ShapeCheck(Shape.TURNS, (Part.FIRST, Part.LAST)),
        ShapeCheck(Shape.TOOLS, words="roles must alternate"),
    ),
    native=ToolScore(2, 6, 8),
    envelope=ToolScore(4, 8, 8),
)
FAILED = ModelCheck(
    build="engine b1",
    mode=ToolMode.NONE,
    failure=ModelTemplate(path="a.gguf", detail="Expected }}").failure(),
)


@pytest.mark.parametrize("check", [CHECK, FAILED])
async def test_what_was_found_is_read_back(check: ModelCheck) -> None:
    records = FakeRecordStore()
    await remember(records, model(), check)
    assert await known(records, model(), "engine b1") == check
    (record,) = records.kept[KIND].values()
    assert json.loads(json.dumps(record)) == record


async def test_another_build_file_or_template_was_not_checked() -> None:
    records, checked = FakeRecordStore(), replace(model(), chat_template="{{ messages }}")
    await remember(records, checked, CHECK)
    assert await known(records, checked, "engine b1")
    assert await known(records, checked, "engine b2") is None
    for changes in ({"size_bytes": 5}, {"chat_template": "{{ messages[0] }}"}):
        assert await known(records, replace(checked, **changes), "engine b1") is None


@pytest.mark.parametrize(
    "changes",
    [
        {"mode": "psychic"},
        {"shapes": [{"dropped": []}]},
        {"shapes": [{"shape": "system", "dropped": ["all"]}]},
        {"shapes": 3},
        {"native": [1, 2]},
        {"envelope": ["a", "b", "c"]},
        {"failure": {"code": "x", "params": None}},
    ],
)
async def test_a_record_that_a_hand_spoiled_is_none(changes: dict[str, Any]) -> None:
    records = FakeRecordStore()
    await remember(records, model(), CHECK)
    (record,) = records.kept[KIND].values()
    record.update(changes)
    assert await known(records, model(), "engine b1") is None
    record.clear()
    assert await known(records, model(), "engine b1") is None
