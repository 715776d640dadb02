"""The command line: always what keeps the engine private, else what the build knows."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rony_desktop.contract.build import Source
from rony_desktop.contract.engine import Launch
from rony_desktop.contract.error import (
    BinaryUnusable,
    EngineError,
    EngineFlagUnknown,
    EngineUnsuited,
    WorkerUnreachable,
)
from rony_desktop.engine.candidate import Candidate
from rony_desktop.engine.command import (
    NEWEST,
    arguments,
    command,
    devices,
    features,
    flags,
    options,
)
from rony_desktop.engine.host import FLAGS

SOCKET = Path("/run/x/engine.sock")
KEY = Path("/run/x/engine.key")
HELP = """\
----- common params -----

-t,    --threads N                      number of CPU threads, see --threads-batch and -tb
                                        (env: LLAMA_ARG_THREADS)
-ngl,  --gpu-layers, --n-gpu-layers N   max. number of layers
--ui,  --webui, --no-ui, --no-webui     whether to enable the Web UI
--api-key-file FNAME                    path to file
"""


def candidate(*flags: str) -> Candidate:
    return Candidate(
        Source.PATH, ("/bin/llama-server",), Path("/bin/x"), "x", flags=frozenset(flags)
    )


def follows(argv: list[str], flag: str) -> str:
    return argv[argv.index(flag) + 1]


def test_every_launch_is_private(launch: Launch) -> None:
    known = candidate("--offline", "--slots", "--cors-origins", "-cram", "--no-ui")
    argv = command(known, launch, SOCKET, KEY)
    assert argv[0] == "/bin/llama-server"
    assert follows(argv, "--host") == str(SOCKET)
    assert "--port" not in argv
    assert follows(argv, "--api-key-file") == str(KEY)
    assert follows(argv, "--cors-origins") == "localhost"
    assert follows(argv, "--alias") == "m"
    assert follows(argv, "-np") == "1"
    assert {"--offline", "--slots", "--no-ui"} < set(argv)
    assert not {"--api-key", "--tools", "--props", "--agent", "--slot-save-path"} & set(argv)


def test_sizes_come_from_the_launch(launch: Launch) -> None:
    argv = command(candidate("-cram"), dataclasses.replace(launch, gpu_layers=7), SOCKET, KEY)
    found = {flag: follows(argv, flag) for flag in ("-c", "-b", "-ub", "-t", "-ngl", "-cram")}
    assert found == {"-c": "512", "-b": "64", "-ub": "64", "-t": "1", "-ngl": "7", "-cram": "64"}


def test_gpu_layers_are_left_to_the_engine_where_not_planned(launch: Launch) -> None:
    assert "-ngl" not in command(candidate(), launch, SOCKET, KEY)


def test_slots_are_left_to_the_engine_where_not_given(launch: Launch) -> None:
    assert "-np" not in arguments(dataclasses.replace(launch, parallel=None))
    assert follows(arguments(dataclasses.replace(launch, parallel=3)), "-np") == "3"


def test_experts_and_repacking_where_the_build_knows_them(launch: Launch) -> None:
    wanted = dataclasses.replace(launch, n_cpu_moe=5, repack=False)
    known = arguments(wanted, frozenset({"--n-cpu-moe", "--no-repack"}))
    assert follows(known, "--n-cpu-moe") == "5"
    assert "--no-repack" in known
    assert not {"--n-cpu-moe", "--no-repack"} & set(arguments(wanted, frozenset()))
    assert not {"--n-cpu-moe", "--no-repack"} & set(arguments(launch))


def test_every_word_has_what_decides_it(launch: Launch) -> None:
    full = dataclasses.replace(
        launch, gpu_layers=3, n_cpu_moe=5, repack=False, swa_full=True, rpc_workers=("a:1",)
    )
    found = flags(full, NEWEST)
    assert [word for option, value, _ in found for word in (option, value) if word] == arguments(
        full
    )
    fields = {field.name for field in dataclasses.fields(Launch)} - {"port"}
    fixed = {"offline", "slots", "cors", "ui", "log", "fit"}
    assert {name for *_, name in found} == fields | fixed
    values = {option: (value, name) for option, value, name in found}
    assert values["-lv"] == ("4", "log")
    assert values["--swa-full"] == ("", "swa_full")
    assert not {"--swa-full", "-fit"} & set(arguments(launch))


def test_the_engine_fits_only_what_is_not_planned(launch: Launch) -> None:
    assert follows(arguments(dataclasses.replace(launch, gpu_layers=0)), "-fit") == "off"
    assert not {"-fit", "-lv"} & set(arguments(launch, frozenset()))


def test_arguments_have_neither_address_nor_key(launch: Launch) -> None:
    assert not {"--host", "--port", "--api-key-file"} & set(arguments(launch))


def test_older_builds_get_only_what_they_know(launch: Launch) -> None:
    argv = command(candidate("--no-webui"), launch, SOCKET, KEY)
    assert "--no-webui" in argv
    assert not {"--no-ui", "--offline", "--slots", "--cors-origins", "-cram"} & set(argv)


def test_loopback_and_port_where_there_is_no_socket(launch: Launch) -> None:
    argv = command(candidate(), launch, 4711, KEY)
    assert (follows(argv, "--host"), follows(argv, "--port")) == ("127.0.0.1", "4711")


@pytest.mark.parametrize("port", [0, -1, 65536, 99999])
def test_impossible_port_is_refused(launch: Launch, port: int) -> None:
    with pytest.raises(EngineError, match="is not a port"):
        command(candidate(), launch, port, KEY)


def test_model_path_does_not_depend_on_the_folder(launch: Launch) -> None:
    relative = dataclasses.replace(launch, model=Path("m.gguf"))
    assert follows(command(candidate(), relative, SOCKET, KEY), "-m") == str(Path.cwd() / "m.gguf")


def test_the_host_knows_every_flag_that_is_emitted(launch: Launch) -> None:
    known = candidate(*NEWEST)
    full = dataclasses.replace(launch, gpu_layers=1, n_cpu_moe=2, repack=False, swa_full=True)
    argv = command(known, full, SOCKET, KEY) + command(known, full, 4711, KEY)
    emitted = {word for word in argv if word.startswith("-")}
    assert emitted <= {name for flag in FLAGS for name in flag.names}


def test_options_are_the_names_at_the_line_s_beginning() -> None:
    assert options(HELP) == {
        *("-t", "--threads", "-ngl", "--gpu-layers", "--n-gpu-layers"),
        *("--ui", "--webui", "--no-ui", "--no-webui", "--api-key-file"),
    }


async def test_features_come_from_help(
    scripted: Callable[[str], Candidate], tmp_path: Path
) -> None:
    found = await features(scripted("serve"), tmp_path, None)
    assert {"-m", "--host", "--offline"} < found


async def test_foreign_program_is_no_llama_server(tmp_path: Path) -> None:
    echo = Candidate(Source.PATH, ("/bin/echo",), Path("/bin/echo"), "echo")
    with pytest.raises(BinaryUnusable, match="not a llama-server"):
        await features(echo, tmp_path, None)


async def test_illegal_instruction_in_help(
    scripted: Callable[[str], Candidate], tmp_path: Path
) -> None:
    with pytest.raises(EngineUnsuited):
        await features(scripted("illegal"), tmp_path, None)


async def test_wrap_sees_the_whole_argv(
    scripted: Callable[[str], Candidate], tmp_path: Path
) -> None:
    seen: list[list[str]] = []

    def wrap(argv: list[str]) -> list[str]:
        seen.append(argv)
        return ["/usr/bin/env", *argv]

    assert "--host" in await features(scripted("serve"), tmp_path, wrap)
    assert seen[0][-1] == "--help"


def test_workers_are_named_only_to_a_build_that_can_use_them(launch: Launch) -> None:
    split = dataclasses.replace(launch, rpc_workers=("a:1", "b:2"))
    assert follows(arguments(split), "--rpc") == "a:1,b:2"
    assert "--rpc" not in arguments(split, frozenset())
    assert "--rpc" not in arguments(launch)


def printing(text: str, *flags: str) -> Candidate:
    code = f"import sys; print({text!r}); print(sys.argv[1:])"
    argv = (sys.executable, "-S", "-E", "-c", code)
    known = frozenset({"--list-devices", *flags})
    return Candidate(Source.PATH, argv, Path(sys.executable), "x", flags=known)


async def test_the_devices_of_workers_are_listed_too(tmp_path: Path) -> None:
    text = await devices(printing("Available devices:", "--rpc"), tmp_path, workers=("a:1", "b:2"))
    assert "['--rpc', 'a:1,b:2', '--list-devices']" in text


async def test_workers_that_are_not_reached_are_named(tmp_path: Path) -> None:
    said = "0.00.1 E Failed to connect to a:1\n0.00.2 E Failed to connect to b:2"
    with pytest.raises(WorkerUnreachable, match=r"\(a:1, b:2\)"):
        await devices(printing(said, "--rpc"), tmp_path, workers=("a:1", "b:2"))


async def test_a_build_that_cannot_use_workers_is_said_to(tmp_path: Path) -> None:
    with pytest.raises(EngineFlagUnknown, match="--rpc"):
        await devices(printing(""), tmp_path, workers=("a:1",))
