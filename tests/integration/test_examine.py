"""Models are checked by the real engine: what is asserted is form, never wit."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest

from rony_desktop.app import ceiling, examine
from rony_desktop.app.context import AppContext
from rony_desktop.app.factory import create_app
from rony_desktop.contract.check import ModelCheck, Part, Shape, ShapeCheck, ToolMode
from tests.fixture import template
from tests.fixture.template import with_template

pytestmark = [pytest.mark.engine, pytest.mark.timeout(180)]
CHECK_S = 60.0  # of a small model on two cores


@pytest.fixture
async def app() -> AsyncIterator[AppContext]:
    """The program as it is wired, with nothing running."""
    app = await asyncio.to_thread(create_app)
    await asyncio.to_thread(app.place.prepare)
    yield app
    await app.runtime.stop()
    await app.store.aclose()
    await asyncio.to_thread(app.workspaces.close)
    assert psutil.Process().children() == []


async def check(app: AppContext, path: Path) -> ModelCheck:
    steps: list[int] = []
    async with asyncio.timeout(CHECK_S):
        found = await app.checks.check(path, lambda done, _: steps.append(done))
    assert steps == sorted(steps)
    return found


def shapes(found: ModelCheck) -> dict[Shape, ShapeCheck]:
    return {each.shape: each for each in found.shapes}


async def test_the_starter_model_is_to_be_asked_in_the_envelope(
    app: AppContext, starter_model: Path
) -> None:
    found = await check(app, starter_model)
    assert (found.mode, found.native, found.failure) == (ToolMode.ENVELOPE, None, None)
    assert found.envelope
    assert found.envelope.tried == 8
    assert found.envelope.readable >= 4
    shape = shapes(found)
    assert list(shape) == list(Shape)
    assert shape[Shape.SYSTEM].works
    assert shape[Shape.TURNS].works
    # Its template knows no tools, and the engine says nothing of it.
    assert Part.TOOL in shape[Shape.TOOLS].dropped
    assert Part.CALL in shape[Shape.RESULT].dropped
    assert not found.loses_last
    assert await app.checks.known(starter_model) == found


async def test_a_template_with_tools_is_tried_natively(
    app: AppContext, starter_model: Path, tmp_path: Path
) -> None:
    model = with_template(starter_model, template.TOOLS, tmp_path / "tools.gguf")
    await app.runtime.use(str(model))
    assert (await app.runtime.client().capabilities()).supports_tools
    assert await app.checks.mode() is None
    found = await check(app, model)
    assert all(each.works for each in found.shapes)
    assert found.native
    assert found.native.tried == 8
    assert found.mode in (ToolMode.NATIVE, ToolMode.ENVELOPE)
    # The model in use was loaded again and is called as it was found to be best.
    await app.runtime.ready()
    assert await app.checks.mode() is found.mode


async def test_a_template_that_forgets_the_newest_message_is_found_out(
    app: AppContext, starter_model: Path, tmp_path: Path
) -> None:
    model = with_template(starter_model, template.FORGETFUL, tmp_path / "forgetful.gguf")
    found = await check(app, model)
    assert found.loses_last
    assert shapes(found)[Shape.TURNS].dropped == (Part.ANSWER, Part.LAST)


async def test_a_shape_that_a_template_refuses_is_told_in_its_words(
    app: AppContext, starter_model: Path, tmp_path: Path
) -> None:
    model = with_template(starter_model, template.STRICT, tmp_path / "strict.gguf")
    found = await check(app, model)
    assert shapes(found)[Shape.SYSTEM].works
    assert shapes(found)[Shape.RESULT].words.startswith("only user and assistant")


@pytest.mark.parametrize(
    ("broken", "words"),
    [(template.BROKEN, "Expected }}"), (template.REFUSING, "no message is good enough")],
    ids=["broken", "refusing"],
)
async def test_a_template_that_fails_is_a_result(
    app: AppContext, starter_model: Path, tmp_path: Path, broken: str, words: str
) -> None:
    model = with_template(starter_model, broken, tmp_path / "broken.gguf")
    found = await check(app, model)
    assert (found.mode, found.shapes) == (ToolMode.NONE, ())
    assert found.failure
    assert found.failure.code == "model.template"
    assert found.failure.params["detail"].startswith(words)
    assert await app.checks.known(model) == found


async def test_a_template_that_never_ends_is_given_up(
    app: AppContext, starter_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examine, "START_S", 5.0)
    model = with_template(starter_model, template.ENDLESS, tmp_path / "endless.gguf")
    found = await check(app, model)
    assert found.failure
    assert found.failure.code == "engine.not_ready"


async def test_a_template_that_eats_memory_is_given_up(
    app: AppContext, starter_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ceiling, "SPARE_BYTES", 512 << 20)
    model = with_template(starter_model, template.HUNGRY, tmp_path / "hungry.gguf")
    found = await check(app, model)
    assert found.failure
    assert found.failure.code == "model.template"
    assert "memory" in found.failure.params["detail"]
