"""What the check of a model found, kept per file, chat template and build of the engine."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from rony_desktop.contract.check import ModelCheck, Part, Shape, ShapeCheck, ToolMode, ToolScore
from rony_desktop.contract.error import Failure
from rony_desktop.contract.model import ModelMetadata
from rony_desktop.contract.port import RecordStore
from rony_desktop.model.correction import model_key

KIND = "check"
# Part of a key: another set of shapes or cases, or another rule, makes older results void.
CASES = 1


async def remember(records: RecordStore, model: ModelMetadata, check: ModelCheck) -> None:
    """Keep what was found. Raises StorageError."""
    await records.put(KIND, _key(model, check.build), as_record(check))


async def known(records: RecordStore, model: ModelMetadata, build: str) -> ModelCheck | None:
    """What was found with this build; None where nothing was, or the record was spoiled."""
    record = await records.get(KIND, _key(model, build))
    try:
        return from_record(build, record) if record else None
    except (KeyError, TypeError, ValueError):
        return None


def as_record(check: ModelCheck) -> dict[str, Any]:
    """A result as JSON values."""
    return {
        "mode": check.mode.value,
        "shapes": [
            {
                "shape": each.shape.value,
                "dropped": [part.value for part in each.dropped],
                "words": each.words,
            }
            for each in check.shapes
        ],
        "native": _numbers(check.native),
        "envelope": _numbers(check.envelope),
        "failure": check.failure
        and {"code": check.failure.code, "params": dict(check.failure.params)},
    }


def from_record(build: str, record: Mapping[str, Any]) -> ModelCheck:
    """A record as a result. Raises KeyError, TypeError or ValueError where it is none."""
    failure = record["failure"]
    return ModelCheck(
        build=build,
        mode=ToolMode(record["mode"]),
        shapes=tuple(
            ShapeCheck(
                Shape(each["shape"]),
                tuple(Part(part) for part in each["dropped"]),
                str(each["words"]),
            )
            for each in record["shapes"]
        ),
        native=_score(record["native"]),
        envelope=_score(record["envelope"]),
        failure=failure and Failure(str(failure["code"]), _texts(failure["params"])),
    )


def _key(model: ModelMetadata, build: str) -> str:
    """A template that was corrected need not change the size of its file."""
    template = sha256(model.chat_template.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{CASES}|{model_key(model)}|{template}|{build}"


def _numbers(score: ToolScore | None) -> list[int] | None:
    return [score.right, score.readable, score.tried] if score else None


def _score(numbers: Any) -> ToolScore | None:
    if numbers is None:
        return None
    right, readable, tried = map(int, numbers)
    return ToolScore(right, readable, tried)


def _texts(params: Mapping[str, Any]) -> dict[str, str]:
    return {str(name): str(value) for name, value in dict(params).items()}
