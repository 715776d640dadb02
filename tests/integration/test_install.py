"""The real engine comes as a release archive, passes its trial, and answers in the program."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from rony_desktop.app.engine import Engines
from rony_desktop.app.factory import create_app
from rony_desktop.app.install import InstallService
from rony_desktop.app.lifecycle import shutdown, startup
from rony_desktop.app.supply import Supply
from rony_desktop.app.web import HttpWeb
from rony_desktop.contract.build import Host
from rony_desktop.contract.engine import EngineState
from rony_desktop.contract.error import InstallFailed
from rony_desktop.engine.published import Site
from tests.fixture.archive import real, scripted
from tests.fixture.release_server import ReleaseServer, release_server

pytestmark = [pytest.mark.engine, pytest.mark.timeout(180)]

NAME = "llama-b10434-bin-ubuntu-x64.tar.gz"


@pytest.fixture(scope="module")
def site(engine_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    real(folder / "b10434" / NAME, engine_binary.parent)
    scripted(folder, 10500, behaviour="crash")
    return folder


@pytest.fixture
def server(site: Path) -> Iterator[ReleaseServer]:
    with release_server(site) as running:
        yield running


async def test_from_the_archive_to_the_running_program(
    site: Path,
    server: ReleaseServer,
    starter_model: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    app = create_app({"llama.models.main.path": str(starter_model)})
    app.place.prepare()
    sha256 = hashlib.sha256((site / "b10434" / NAME).read_bytes()).hexdigest()
    host = Host("Linux", "x86_64", ("glibc", "2.39"))
    pins = {10434: {NAME: sha256}}
    supply = Supply(Site.of(server.url), HttpWeb(), lambda: host, lambda: pins)
    engines = Engines(app.config.llama, app.place, app.records)
    service = InstallService(engines, app.place, supply)
    build = await service.install("", lambda done, total: None)
    assert (build.id, build.pinned) == ("b10434-cpu", True)
    assert (build.program.parent / "libggml.so.0").is_symlink()
    await service.use(build.id)
    with pytest.raises(InstallFailed):
        await service.install("b10500", lambda done, total: None)
    try:
        await startup(app)
        await app.runtime.ready()
        status = app.runtime.status()
        assert (status.state, status.binary) == (EngineState.READY, "llama.cpp b10434 (cpu)")
        assert status.pid is not None
        running = Path(f"/proc/{status.pid}/exe").resolve()
        assert running == build.program.resolve()
    finally:
        await shutdown(app)
