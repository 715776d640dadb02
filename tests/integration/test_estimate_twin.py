"""The estimate is what the real engine's allocator says on this machine, without allocating."""

from __future__ import annotations

import os
import re
import subprocess
import threading
from pathlib import Path

import pytest

from rony_desktop.contract.model import Setting
from rony_desktop.model.estimate import estimate
from rony_desktop.model.gguf import GgufMetadataReader
from tests.fixture.twin import MIB, write_twin

pytestmark = pytest.mark.engine

DEADLINE_S = 40
BREAKDOWN = re.compile(r"\|   - (\w+) +\| +\d+ = +(\d+) \+ +(\d+) \+ +(\d+)")
COMPUTE = re.compile(r"sched_reserve: +\S+ compute buffer size = +([\d.]+) MiB")
CACHE = re.compile(r"llama_(?:kv_cache|memory_recurrent): size = +([\d.]+) MiB")
CASES = [
    ("llama-3.2-1b", Setting(n_ctx=4096)),
    ("llama-3.2-1b", Setting(n_ctx=16384, flash_attn=False, repack=False)),
    ("gemma-3-1b", Setting(n_ctx=16384, parallel=None)),
    ("gemma-4-e4b", Setting(n_ctx=8192)),
    ("qwen3-30b-a3b", Setting(n_ctx=8192, cache_type_k="q8_0", cache_type_v="q8_0")),
    ("lfm2-1.2b", Setting(n_ctx=8192, parallel=2)),
    ("falcon-h1-1.5b", Setting(n_ctx=8192, n_ubatch=128)),
    ("mamba2-2.7b", Setting(n_ctx=4096)),
    ("qwen3.5-9b", Setting(n_ctx=8192)),
    ("bge-small", Setting(n_ctx=512)),
]


def cpu_flags() -> frozenset[str]:
    text = Path("/proc/cpuinfo").read_text("utf-8")
    found = re.search(r"^(?:flags|Features)\s*:(.*)$", text, re.MULTILINE)
    return frozenset(found[1].split()) if found else frozenset()


def allocator(engine: Path, model: Path, setting: Setting, folder: Path) -> str:
    """Run the engine until it has said what it would allocate, and end it there."""
    slots = [] if setting.parallel is None else ["-np", str(setting.parallel)]
    command = [
        *(str(engine), "-lv", "5", "-m", str(model), "--host", str(folder / "s.sock")),
        *("--offline", "-ngl", "0", "-c", str(setting.n_ctx), "-ub", str(setting.n_ubatch)),
        *("-ctk", setting.cache_type_k, "-ctv", setting.cache_type_v, *slots),
        *("-fa", "on" if setting.flash_attn else "off", *([] if setting.repack else ["-nr"])),
    ]
    env = os.environ | {"LD_LIBRARY_PATH": str(engine.parent)}
    said: list[str] = []
    with subprocess.Popen(
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        timer = threading.Timer(DEADLINE_S, process.kill)
        timer.start()
        assert process.stdout is not None
        for line in process.stdout:
            said.append(line)
            if "fitting params" in line and "took" in line:
                break
        process.kill()
        timer.cancel()
    return "".join(said)


@pytest.mark.parametrize(("name", "setting"), CASES, ids=lambda value: getattr(value, "name", None))
def test_the_engines_allocator_agrees(
    name: str, setting: Setting, engine_binary: Path, tmp_path: Path
) -> None:
    model = write_twin(name, tmp_path / "model.gguf", vocabulary=False)
    said = allocator(engine_binary, model, setting, tmp_path)
    rows = {buffer: [int(size) for size in sizes] for buffer, *sizes in BREAKDOWN.findall(said)}
    assert "Host" in rows, said[-2000:]
    weights = sum(sizes[0] for sizes in rows.values())
    cache, compute = (sum(map(float, row.findall(said))) for row in (CACHE, COMPUTE))
    asked = {key: getattr(setting, key) for key in setting.__slots__} | {"cpu_flags": cpu_flags()}
    found = estimate(GgufMetadataReader().read(model), Setting(**asked))
    assert found.host.weights_bytes / MIB == pytest.approx(weights, abs=len(rows) + 0.1)
    kept = (found.kv_bytes + found.recurrent_bytes) / MIB
    assert kept == pytest.approx(cache, rel=0.001, abs=0.02)
    error = (found.held_bytes - found.output_bytes) / MIB / (weights + cache + compute) - 1
    assert -0.015 <= error <= 0.03
