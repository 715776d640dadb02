"""The composition root: app bootstrap."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import psutil
import pytest

from rony_desktop.app.factory import create_app
from rony_desktop.contract.engine import Endpoint, EngineState
from rony_desktop.contract.error import EngineStopped
from rony_desktop.store.place import Place


def configure(text: str) -> Path:
    file = Place.of().config_file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file


def everything(folder: Path) -> set[Path]:
    return set(folder.rglob("*"))


def test_app_bootstrap_starts_and_writes_nothing(
    own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = Place.of().run_dir
    before, threads = everything(own_home), set(threading.enumerate())
    app = create_app()
    assert everything(own_home) == before
    assert not run.exists()
    assert psutil.Process().children() == []
    assert set(threading.enumerate()) == threads
    assert app.runtime.status().state is EngineState.STOPPED
    with pytest.raises(EngineStopped):
        app.runtime.client()
    assert app.notices == ()
    assert app.place == Place.of()


def test_tools_are_called_as_the_check_of_the_model_says() -> None:
    app = create_app()
    assert app.loop._llm._checked == app.checks.mode  # type: ignore[attr-defined]


def test_a_folders_settings_count_only_where_it_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rony.yaml").write_text("app:\n  max_steps: 3\n", "utf-8")
    careful, trusting = create_app(), create_app(trust=True)
    assert careful.config.app.max_steps == 20
    assert [failure.code for failure in careful.notices] == ["config.ignored"]
    assert trusting.config.app.max_steps == 3
    assert trusting.notices == ()


@pytest.mark.skipif(sys.platform == "win32", reason="a folder in use cannot be deleted there")
def test_a_current_folder_that_was_deleted_does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert create_app().notices == ()


def test_flags_outrank_the_file_and_each_value_has_a_source() -> None:
    file = configure("model: from-file\napp:\n  max_steps: 7\n")
    app = create_app({"model": "from-flag"})
    assert (app.config.model, app.config.app.max_steps) == ("from-flag", 7)
    assert str(file) in app.sources["app.max_steps"]


def test_a_wrong_value_is_a_notice_and_the_default_stands() -> None:
    configure("app:\n  max_steps: many\n")
    app = create_app()
    assert app.config.app.max_steps == 20
    assert [failure.code for failure in app.notices] == ["config.value"]


@pytest.mark.parametrize("address", ["http://127.0.0.1:9", "http://127.0.0.1:9/v1/"])
async def test_a_configured_server_is_used_instead_of_an_engine(address: str) -> None:
    configure(f"model: big\nprovider:\n  base_url: {address}\n")
    app = create_app()
    app.runtime.use()
    await app.runtime.ready()
    assert app.runtime.status().model == "big"
    assert app.runtime.lend() is None
    await app.runtime.stop()


async def test_a_lent_engine_outranks_the_configured_server() -> None:
    configure("model: big\nprovider:\n  base_url: http://127.0.0.1:9\n")
    app = create_app(remote=("lent", Endpoint("http://127.0.0.1:10")))
    app.runtime.use()
    await app.runtime.ready()
    assert app.runtime.status().model == "lent"
    await app.runtime.stop()


def test_users_are_kept_apart() -> None:
    ada, bob = (create_app(place=Place.of(user)) for user in ("ada", "bob"))
    assert ada.place.sessions_dir != bob.place.sessions_dir
