"""What the check of a model found, kept per file, chat template and build of the engine."""

from __future__ import annotations

from hashlib import sha256

from pydantic import TypeAdapter

from rony_desktop.contract.check import ModelCheck
from rony_desktop.contract.model import ModelMetadata
from rony_desktop.contract.port import RecordStore
from rony_desktop.model.correction import model_key

KIND = "check"
# Part of a key: another set of shapes or cases, or another rule, makes older results void.
CASES = 1
_CHECK = TypeAdapter(ModelCheck)


async def remember(records: RecordStore, model: ModelMetadata, check: ModelCheck) -> None:
    """Keep what was found. Raises StorageError."""
    await records.put(KIND, _key(model, check.build), _CHECK.dump_python(check, mode="json"))


async def known(records: RecordStore, model: ModelMetadata, build: str) -> ModelCheck | None:
    """What was found with this build; None where nothing was, or the record was spoiled."""
    record = await records.get(KIND, _key(model, build))
    try:
        return _CHECK.validate_python(record) if record else None
    except ValueError:
        return None


def _key(model: ModelMetadata, build: str) -> str:
    """A template that was corrected need not change the size of its file."""
    template = sha256(model.chat_template.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{CASES}|{model_key(model)}|{template}|{build}"
