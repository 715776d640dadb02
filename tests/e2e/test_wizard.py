"""From no model at all to an answer, by keys alone, over a hub of ours."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from rony_desktop.model.catalog import load
from tests.e2e.deadline import until
from tests.e2e.home import Home
from tests.e2e.window import opened, xdotool
from tests.fixture.hub_server import HubServer, hub_server

pytestmark = [pytest.mark.e2e, pytest.mark.x11, pytest.mark.engine, pytest.mark.timeout(240)]

WAIT_S = 90.0
TITLE = "Find a model"


@pytest.fixture
def hub(tmp_path: Path, starter_model: Path) -> Iterator[HubServer]:
    """Every model of the catalog, each of them really the starter model."""
    for entry in load():
        name = f"{entry.model.rpartition('/')[2]}-{entry.quant}.gguf"
        file = tmp_path / "hub" / entry.model / name
        file.parent.mkdir(parents=True)
        file.symlink_to(starter_model)
    with hub_server(tmp_path / "hub") as running:
        yield running


@pytest.mark.usefixtures("brief")
def test_by_keys_from_no_model_to_an_answer(
    home: Home, hub: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for model in (home.cache / "models").iterdir():
        model.unlink()
    monkeypatch.setenv("RONY_HUB__ENDPOINT", hub.url)
    monkeypatch.setenv("RONY_LLAMA__DISK_RESERVE_MB", "0")
    with opened(home) as window:
        window.wait_built()
        window.focus()
        window.key("ctrl+shift+l")
        dialog = until(lambda: xdotool("search", "--name", f"^{TITLE}$"), WAIT_S, "the wizard")
        xdotool("windowfocus", "--sync", dialog)
        # Shows the models, and takes the one that is recommended.
        until(lambda: _enter(dialog) or hub.log("cdn"), WAIT_S, "a download")
        done = until(lambda: list((home.data / "models").rglob("*.gguf")), WAIT_S, "a model")
        until(home.engines, WAIT_S, "an engine")
        until(home.lent, WAIT_S, "it is loaded")
        xdotool("windowfocus", "--sync", dialog, "key", "Escape")
        until(lambda: not xdotool("search", "--name", f"^{TITLE}$"), WAIT_S, "it is closed")
        chat = window.ask("What is a fountain pen?")
        until(lambda: home.chat(chat.id).end, WAIT_S, "an answer")
        assert home.chat(chat.id).text
        window.close()
    assert str(done[0]) in home.config.read_text("utf-8"), "the choice is kept"
    assert not list((home.data / "models").rglob("*.part*"))
    records = [json.loads(p.read_text("utf-8")) for p in home.data.rglob("download*.json")]
    assert not any(record.get("records") for record in records)


def _enter(dialog: str) -> None:
    """Press it as a person does, who looks at what comes."""
    xdotool("windowfocus", "--sync", dialog, "key", "Return", "sleep", "2")
