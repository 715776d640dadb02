"""The use case behind `plan`: a file, this machine or an imagined one, and the launch for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rony_desktop.contract.error import Failure, RonyError
from rony_desktop.contract.model import Gpu, Machine, ModelMetadata
from rony_desktop.contract.plan import PlanResult, Wanted
from rony_desktop.engine.command import arguments
from rony_desktop.model.gguf import GgufMetadataReader
from rony_desktop.model.hardware import HardwareProbe
from rony_desktop.model.planner import ModelPlanner
from rony_desktop.store.config import YamlConfigLoader
from rony_desktop.store.place import Place

PROGRAM = "llama-server"


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan for a file, and the command line that carries it out.

    The command has neither the address nor the key, which every start makes anew.
    """

    model: ModelMetadata
    machine: Machine
    plan: PlanResult
    argv: tuple[str, ...]
    notices: Sequence[Failure]


def plan_file(
    path: Path,
    wanted: Wanted,
    ram_bytes: int | None = None,
    vram_bytes: int | None = None,
    place: Place | None = None,
) -> Planned:
    """Plan the launch of a file by rules alone; asks no engine. Blocking.

    ram_bytes and vram_bytes replace what the machine has, all of it free.

    Raises:
        ModelFileError: the file cannot be used.
        PlanError: what is wanted contradicts itself.
    """
    model = GgufMetadataReader().read(path)
    loaded = YamlConfigLoader((place or Place.of()).config_file, flags={}).read(None, trust=False)
    machine = _imagined(HardwareProbe().detect(), ram_bytes, vram_bytes)
    result = ModelPlanner(loaded.config.llama).plan(model, machine, wanted)
    argv = (PROGRAM, *arguments(result.launch))
    return Planned(model, machine, result, argv, loaded.notices)


async def counted(planned: Planned, place: Place | None = None) -> Planned:
    """The plan of an architecture no rule is known for, as the engine itself counts it.

    Where no engine runs here, or none can say, the upper bound stays.
    """
    from rony_desktop.app.device import Devices
    from rony_desktop.engine.binary import find
    from rony_desktop.engine.candidate import Candidate
    from rony_desktop.model.count import counted as by_engine

    place = place or Place.of()
    loaded = YamlConfigLoader(place.config_file, flags={}).read(None, trust=False)

    async def binary() -> Candidate:
        return await find(loaded.config.llama.binary_path, place.cache_dir)

    try:
        said = await Devices(binary, place.cache_dir).forecast(planned.plan.launch)
    except RonyError:
        return planned
    return replace(planned, plan=by_engine(planned.plan, said)) if said else planned


def _imagined(machine: Machine, ram_bytes: int | None, vram_bytes: int | None) -> Machine:
    if ram_bytes is not None:
        machine = replace(machine, ram_bytes=ram_bytes, ram_free_bytes=ram_bytes)
    # No engine is asked which devices it can use: what the system has is taken to be usable.
    gpus = tuple(replace(gpu, device=gpu.device or gpu.name) for gpu in machine.gpus)
    if vram_bytes is not None:
        given = Gpu("GPU", "GPU0", total_bytes=vram_bytes, free_bytes=vram_bytes, integrated=False)
        gpus = (given,) if vram_bytes else ()
    unknown = tuple(name for name in machine.unknown if name != "gpus")
    return replace(machine, gpus=gpus, unknown=unknown)
