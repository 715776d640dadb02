"""The host's command line is llama-server's, and nothing it does not map."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import xllamacpp

from rony_desktop.engine.command import options
from rony_desktop.engine.host import FLAGS, LIST, apply, listed, usage
from tests.fixture.device import RECORDED_NO_DEVICE


@pytest.fixture
def params() -> xllamacpp.CommonParams:
    return xllamacpp.CommonParams()


def test_flags_reach_the_parameters(params: xllamacpp.CommonParams, tmp_path: Path) -> None:
    key_file = tmp_path / "key"
    key_file.write_text("# a comment\nsecret\n")
    line = f"-m /m.gguf --alias smol --host /run/e.sock --api-key-file {key_file} -c 512 -b 64"
    line += " -ub 32 -t 1 -tb 2 -ngl auto -np 1 -cram 77 -fa on -ctk q8_0 -ctv f16 -lv 4"
    line += " -fit off -nr --swa-full -ncmoe 2"
    line += " --offline --slots --no-ui --cors-origins localhost --embeddings --pooling mean"
    assert apply(params, line.split()) == ""
    assert params.model.path == "/m.gguf"
    assert params.model_alias == {"smol"}
    assert params.hostnames == ["/run/e.sock"]
    assert params.api_keys == ["secret"]
    assert (params.n_ctx, params.n_batch, params.n_ubatch) == (512, 64, 32)
    assert (params.cpuparams.n_threads, params.cpuparams_batch.n_threads) == (1, 2)
    assert (params.n_gpu_layers, params.n_parallel, params.cache_ram_mib) == (-1, 1, 77)
    assert params.flash_attn_type == xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_ENABLED
    assert params.cache_type_k == xllamacpp.ggml_type.GGML_TYPE_Q8_0
    assert params.cache_type_v == xllamacpp.ggml_type.GGML_TYPE_F16
    assert params.pooling_type == xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    assert (params.verbosity, params.cors_origins) == (4, "localhost")
    assert (params.offline, params.endpoint_slots, params.embedding) == (True, True, True)
    assert params.ui is False
    assert (params.fit_params, params.no_extra_bufts, params.swa_full) == (False, True, True)
    experts = r"blk\.0\.ffn_.*exps=CPU,blk\.1\.ffn_.*exps=CPU"
    assert params.tensor_buft_overrides == experts


def test_slots_that_are_not_given_are_llama_server_s(params: xllamacpp.CommonParams) -> None:
    assert apply(params, []) == ""
    assert (params.n_parallel, params.kv_unified) == (4, True)
    assert apply(params, ["-np", "2"]) == ""
    assert (params.n_parallel, params.kv_unified) == (2, False)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("--tools all", "error: invalid argument: --tools"),
        ("-c", 'error while handling argument "-c": expected value for argument'),
        ("-ctk foo", 'error while handling argument "-ctk": unknown value: foo'),
        ("-fit maybe", 'error while handling argument "-fit": unknown value: maybe'),
        ("-fa maybe", 'error while handling argument "-fa": unknown value: maybe'),
    ],
)
def test_what_it_does_not_know_is_refused(
    params: xllamacpp.CommonParams, line: str, problem: str
) -> None:
    assert apply(params, line.split()) == problem


def test_no_number_is_refused(params: xllamacpp.CommonParams) -> None:
    assert apply(params, ["-c", "abc"]).startswith('error while handling argument "-c": ')


def test_missing_key_file_is_refused(params: xllamacpp.CommonParams, tmp_path: Path) -> None:
    assert "No such file" in apply(params, ["--api-key-file", str(tmp_path / "none")])


def test_help_lists_exactly_what_is_mapped() -> None:
    assert options(usage()) == {name for flag in FLAGS for name in flag.names} | {LIST}


def device(name: str, kind: str, description: str) -> dict[str, object]:
    sizes = {"memory_total": 12 << 30, "memory_free": 11 << 30}
    kinds = xllamacpp.ggml_backend_dev_type
    found = getattr(kinds, f"GGML_BACKEND_DEVICE_TYPE_{kind}")
    return {"name": name, "description": description, "type": found, **sizes}


def test_devices_are_listed_in_the_server_s_words() -> None:
    processor = device("CPU", "CPU", "Some Processor")
    assert listed([processor]) == RECORDED_NO_DEVICE
    card = device("MTL0", "GPU", "Apple M1 Pro")
    assert listed([processor, card]) == (
        "Available devices:\n  MTL0: Apple M1 Pro (12288 MiB, 11264 MiB free)\n"
    )


def run(*flags: str) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "rony_desktop.engine.host", *flags]
    return subprocess.run(argv, capture_output=True, text=True, check=False, timeout=30)


def test_unknown_flag_ends_with_1() -> None:
    done = run("--xyz")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "error: invalid argument: --xyz\n"


def test_version_and_help_end_with_0() -> None:
    assert run("--version").stderr.startswith("version: xllamacpp ")
    assert run("--help").stdout == usage()
    assert run("--list-devices").stdout.startswith("Available devices:\n")
