"""`plan` as JSON and as text, its exit codes, and one sentence for what cannot be planned."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rony_desktop.cli.main import main
from tests.fixture.twin import write_twin

KEYS = {
    *("n_ctx", "gpu_layers", "n_batch", "n_ubatch", "threads", "threads_batch", "flash_attn"),
    *("cache_type_k", "cache_type_v", "fits", "reasons", "argv", "estimate"),
}
SIZES = {
    *("model_bytes", "repack_bytes", "kv_bytes", "recurrent_bytes", "compute_bytes"),
    *("output_bytes", "total_bytes", "peak_bytes"),
}
Captured = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_twin("qwen3-8b", tmp_path_factory.mktemp("twin") / "m.gguf"))


def planned(capsys: Captured, *words: str) -> dict[str, Any]:
    assert main(["plan", *words, "--json"]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    (line,) = said.out.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def test_json_has_these_keys_and_no_other(model: str, capsys: Captured) -> None:
    found = planned(capsys, model, "--ram", "32GiB")
    assert set(found) == KEYS
    assert set(found["estimate"]) == SIZES
    assert (found["n_ctx"], found["gpu_layers"], found["fits"]) == (8192, 0, True)
    assert found["argv"][0] == "llama-server"
    for reason in found["reasons"].values():
        assert set(reason) == {"source", "code", "params", "text"}
    sizes = found["estimate"]
    parts = SIZES - {"total_bytes", "peak_bytes"}
    assert sum(sizes[name] for name in parts) == sizes["total_bytes"]


def test_what_is_given_is_in_the_plan(model: str, capsys: Captured) -> None:
    found = planned(
        capsys, model, "--ctx", "16384", "--ram", "32G", "--vram", "8G", "--gpu-layers", "20",
        "--cache-type-k", "q8_0", "--cache-type-v", "q8_0", "--ubatch", "256", "--parallel", "1",
        "--flash-attn", "on",
    )  # fmt: skip
    assert (found["n_ctx"], found["gpu_layers"], found["n_ubatch"]) == (16384, 20, 256)
    assert (found["cache_type_k"], found["cache_type_v"]) == ("q8_0", "q8_0")
    assert found["flash_attn"] == "on"
    assert found["argv"][found["argv"].index("-np") + 1] == "1"
    assert found["estimate"]["repack_bytes"] == 0


def test_slots_are_left_to_the_server_where_none_are_given(model: str, capsys: Captured) -> None:
    assert "-np" not in planned(capsys, model)["argv"]
    assert planned(capsys, model, "--parallel", "auto") == planned(capsys, model)


def test_a_plan_that_does_not_fit_says_so(model: str, capsys: Captured) -> None:
    words = (model, "--ram", "6GiB", "--ctx", "32768")
    found = planned(capsys, *words)
    assert (found["fits"], found["n_ctx"]) == (False, 32768)
    assert main(["plan", *words]) == 1
    assert "It does not fit." in capsys.readouterr().out


def test_text_adds_up_line_by_line(model: str, capsys: Captured) -> None:
    assert main(["plan", model, "--ram", "32GiB", "--vram", "4GiB"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("qwen3-8b: qwen3, ") or lines[0].startswith("m.gguf: qwen3, ")

    def amount(name: str) -> int:
        (line,) = (line for line in lines if line.strip().startswith(name))
        return int(line.split()[-2].replace(",", ""))

    assert amount("may be used on the GPU") == 3072
    assert amount("needed on the GPU") <= 3072
    parts = ("weights as", "weights in", "keys", "states", "one batch", "output")
    assert abs(sum(map(amount, parts)) - amount("together")) <= len(parts)
    assert any(line.startswith("llama-server -m ") for line in lines)
    assert any("as many as fit on GPU" in line for line in lines)
    assert "It fits." in lines


def test_layers_without_a_gpu_are_shown_as_needed_on_none(model: str, capsys: Captured) -> None:
    assert main(["plan", model, "--vram", "0", "--gpu-layers", "all"]) == 1
    assert "needed on a GPU, which is not there" in capsys.readouterr().out


def test_what_is_wrong_with_the_settings_goes_to_standard_error(
    model: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RONY_LLAMA__OS_RESERVE_MB", "lots")
    assert main(["plan", model, "--json", "--ram", "32G"]) == 0
    said = capsys.readouterr()
    assert said.err.startswith("rony-desktop: ")
    assert json.loads(said.out)["fits"] is True


@pytest.mark.parametrize("command", ["plan", "inspect"])
@pytest.mark.parametrize("kind", ["missing", "folder", "page", "cut", "part"])
def test_a_wrong_file_is_one_sentence(
    command: str, kind: str, tmp_path: Path, capsys: Captured
) -> None:
    path = tmp_path / "x-00001-of-00002.gguf"
    if kind == "folder":
        path.mkdir()
    elif kind == "page":
        path.write_text("<!DOCTYPE html><html>" + "x" * 100, "utf-8")
    elif kind != "missing":
        from tests.fixture.gguf import LLAMA, Typed, gguf

        whole = gguf({**LLAMA, "split.count": Typed(2, 2), "split.no": Typed(2, 0)})
        path.write_bytes(whole[:200] if kind == "cut" else whole)
    assert main([command, str(path)]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    (line,) = said.err.splitlines()
    assert line.startswith("rony-desktop: ")
    assert "went wrong" not in line


def test_a_contradiction_is_one_sentence(model: str, capsys: Captured) -> None:
    assert main(["plan", model, "--flash-attn", "off", "--cache-type-v", "q8_0"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("rony-desktop: No engine starts m.gguf like this: ")
