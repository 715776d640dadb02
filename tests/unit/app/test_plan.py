"""A file is planned for this machine or an imagined one; nothing is started."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest

from rony_desktop.app import plan as module
from rony_desktop.app.plan import counted, plan_file
from rony_desktop.contract.error import ModelForeign
from rony_desktop.contract.model import Gpu, Machine
from rony_desktop.contract.plan import Wanted
from rony_desktop.store.place import Place
from tests.fixture.gguf import gguf

GIB = 1 << 30


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.gguf"
    path.write_bytes(gguf())
    return path


def follows(argv: tuple[str, ...], flag: str) -> str:
    return argv[argv.index(flag) + 1]


def test_the_command_has_the_plan_and_neither_address_nor_key(model: Path) -> None:
    planned = plan_file(model, Wanted(parallel=2, repack=False))
    launch = planned.plan.launch
    assert planned.argv[0] == "llama-server"
    assert follows(planned.argv, "-m") == str(model)
    assert follows(planned.argv, "-c") == str(launch.n_ctx) == "2048"
    assert follows(planned.argv, "-np") == "2"
    assert "--no-repack" in planned.argv
    assert not {"--host", "--port", "--api-key-file", "--api-key"} & set(planned.argv)
    assert psutil.Process().children() == []


def test_memory_that_is_given_replaces_the_machines(model: Path) -> None:
    planned = plan_file(model, Wanted(), ram_bytes=8 * GIB, vram_bytes=4 * GIB)
    assert planned.plan.ram.free_bytes == 8 * GIB
    assert planned.plan.ram.reserve_bytes == 2 * GIB
    assert planned.plan.vram is not None
    assert planned.plan.vram.free_bytes == 4 * GIB
    assert planned.plan.launch.gpu_layers == 3


def test_what_the_system_has_is_taken_to_be_usable(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Probe:
        def detect(self) -> Machine:
            card = Gpu("card", total_bytes=8 * GIB, free_bytes=8 * GIB)
            return Machine(16 * GIB, 16 * GIB, 4, 8, gpus=(card,), unknown=("gpus",))

    monkeypatch.setattr(module, "HardwareProbe", Probe)
    assert plan_file(model, Wanted()).plan.launch.gpu_layers == 3
    none = plan_file(model, Wanted(), vram_bytes=0).plan
    assert (none.vram, none.launch.gpu_layers) == (None, 0)


def test_the_settings_count_and_what_is_wrong_with_them_is_told(model: Path) -> None:
    file = Place.of().config_file
    file.parent.mkdir(parents=True)
    file.write_text("llama:\n  os_reserve_mb: 0\n  nonsense: 1\n", "utf-8")
    planned = plan_file(model, Wanted(), ram_bytes=8 * GIB)
    assert planned.plan.ram.reserve_bytes == 0
    assert len(planned.notices) == 1


def test_a_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "page.gguf"
    page.write_text("<!DOCTYPE html><html></html>" * 10, "utf-8")
    with pytest.raises(ModelForeign):
        plan_file(page, Wanted())


async def test_without_an_engine_that_can_say_the_upper_bound_stays(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RONY_LLAMA__BINARY_PATH", str(tmp_path / "nowhere"))
    planned = plan_file(model, Wanted())
    assert await counted(planned, Place.of()) == planned
