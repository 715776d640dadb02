"""A home with the starter model in it, for the program as a process."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.home import Home

PROBED = "engine-probe.json"


@pytest.fixture(scope="session")
def probed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a first start found out about the engines; later homes begin with it."""
    return tmp_path_factory.mktemp("engine") / PROBED


@pytest.fixture
def home(own_home: Path, starter_model: Path, probed: Path) -> Iterator[Home]:
    """The folders of this test: the starter model, and nothing else."""
    home = Home()
    models = home.cache / "models"
    models.mkdir(parents=True)
    (models / starter_model.name).symlink_to(starter_model)
    if probed.exists():
        shutil.copy(probed, home.cache / PROBED)
    yield home
    if (home.cache / PROBED).exists():
        shutil.copy(home.cache / PROBED, probed)


@pytest.fixture
def brief(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small context: the starter model cannot ramble on for two thousand tokens."""
    monkeypatch.setenv("RONY_LLAMA__MODELS__MAIN__CTX_SIZE", "512")
