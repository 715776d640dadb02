"""Names, flags and kinds of processors, from recordings and labelled samples."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from pathlib import Path

import cpuinfo
import psutil
import pytest

from rony_desktop.model import cpu
from rony_desktop.model.cpu import (
    allowed_cpus,
    parse_cpuinfo,
    parse_list,
    performance_cores,
    physical_cores,
    read_cores,
    read_cpu,
)
from tests.fixture.device import RECORDED_CPUINFO, SAMPLE_ARM_CPUINFO, SAMPLE_POWER_CPUINFO


@pytest.fixture(autouse=True)
def nothing_remembered() -> Iterator[None]:
    cpu._described.cache_clear()
    yield
    cpu._described.cache_clear()


def topology(devices: Path, siblings: dict[int, str], **files: str) -> Path:
    for number, text in siblings.items():
        folder = devices / f"system/cpu/cpu{number}/topology"
        folder.mkdir(parents=True)
        (folder / "thread_siblings_list").write_text(f"{text}\n")
    for name, text in files.items():
        path = devices / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n")
    return devices


def test_x86_names_itself_and_its_flags() -> None:
    name, flags = parse_cpuinfo(RECORDED_CPUINFO)
    assert name == "Intel(R) Xeon(R) Processor"
    assert {"avx2", "avx512f", "avx512_vnni"} <= flags
    assert "vnmi" not in flags


def test_arm_has_features_and_is_named_by_its_board() -> None:
    name, flags = parse_cpuinfo(SAMPLE_ARM_CPUINFO)
    assert name == "Raspberry Pi 5 Model B Rev 1.1"
    assert "asimddp" in flags


def test_power_has_a_name_and_no_flags() -> None:
    assert parse_cpuinfo(SAMPLE_POWER_CPUINFO) == ("POWER9, altivec supported", frozenset())


@pytest.mark.parametrize("text", ["", "\n\n", "no colon here", "flags\t:\nmodel: 7\n"])
def test_nothing_to_read_is_nothing_known(text: str) -> None:
    assert parse_cpuinfo(text) == ("", frozenset())


def test_the_file_is_enough_where_it_has_flags(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(cpuinfo, "get_cpu_info")
    (tmp_path / "cpuinfo").write_text(RECORDED_CPUINFO)
    assert read_cpu(tmp_path / "cpuinfo") == parse_cpuinfo(RECORDED_CPUINFO)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="flags as x86 has them")
def test_without_the_file_py_cpuinfo_tells(tmp_path: Path) -> None:
    name, flags = read_cpu(tmp_path / "absent")
    assert name
    assert {"sse2", "fpu"} <= flags


def test_py_cpuinfo_is_asked_once_and_keeps_the_name_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def tell() -> dict[str, object]:
        asked.append(True)
        return {"brand_raw": "other", "flags": ["vsx"]}

    monkeypatch.setattr(platform, "machine", lambda: "ppc64le")
    monkeypatch.setattr(cpuinfo, "get_cpu_info", tell)
    (tmp_path / "cpuinfo").write_text(SAMPLE_POWER_CPUINFO)
    assert read_cpu(tmp_path / "cpuinfo") == ("POWER9, altivec supported", frozenset({"vsx"}))
    assert read_cpu(tmp_path / "absent") == ("other", frozenset({"vsx"}))
    assert len(asked) == 1


def test_a_failure_of_py_cpuinfo_leaves_it_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> dict[str, object]:
        raise FileNotFoundError("no python here")

    monkeypatch.setattr(platform, "machine", lambda: "AMD64")
    monkeypatch.setattr(cpuinfo, "get_cpu_info", fail)
    assert read_cpu(tmp_path / "absent") == ("", frozenset())


def test_a_processor_py_cpuinfo_refuses_is_not_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "loongarch64")
    monkeypatch.delattr(cpuinfo, "get_cpu_info")
    assert read_cpu(tmp_path / "absent") == ("", frozenset())


def test_apple_flags_are_spelled_as_linux_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = {"hw.optional.arm.FEAT_DotProd": 1, "hw.optional.arm.FEAT_SME": 0}
    monkeypatch.setattr(platform, "machine", lambda: "arm64")
    monkeypatch.setattr(cpuinfo, "get_cpu_info", lambda: {"brand_raw": "Apple M1"})
    monkeypatch.setattr("rony_desktop.model.sysctl.read_number", known.get)
    assert read_cpu(tmp_path / "absent") == ("Apple M1", frozenset({"asimddp"}))


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("0-3,8", {0, 1, 2, 3, 8}), ("5\n", {5}), ("", set()), ("a-b", set()), ("2-1", set())],
)
def test_lists_of_processors(text: str, numbers: set[int]) -> None:
    assert parse_list(text) == numbers


def test_two_threads_of_a_core_are_one_core(tmp_path: Path) -> None:
    topology(tmp_path, {0: "0,2", 1: "1,3", 2: "0,2", 3: "1,3"})
    assert physical_cores({0, 1, 2, 3}, tmp_path) == 2
    assert physical_cores({0, 2}, tmp_path) == 1
    assert physical_cores({0, 4}, tmp_path) is None


def test_sample_intel_hybrid(tmp_path: Path) -> None:
    lists = {0: "0-1", 1: "0-1", 2: "2-3", 3: "2-3", 4: "4", 5: "5", 6: "6", 7: "7"}
    topology(tmp_path, lists, cpu_core__cpus="0-3", cpu_atom__cpus="4-7")
    assert physical_cores(set(range(8)), tmp_path) == 6
    assert performance_cores(set(range(8)), tmp_path) == 2
    assert performance_cores({4, 5}, tmp_path) == 2


def test_sample_arm_with_three_kinds(tmp_path: Path) -> None:
    capacity = {0: "250", 1: "250", 2: "700", 3: "1024"}
    files = {f"system__cpu__cpu{cpu}__cpu_capacity": size for cpu, size in capacity.items()}
    topology(tmp_path, {cpu: str(cpu) for cpu in capacity}, **files)
    assert performance_cores({0, 1, 2, 3}, tmp_path) == 2
    assert performance_cores({0, 1}, tmp_path) == 2


def test_cores_of_one_kind_are_all_fast(tmp_path: Path) -> None:
    topology(tmp_path, {0: "0", 1: "1"}, cpu__type="4")
    assert performance_cores({0, 1}, tmp_path) == 2


def test_a_kind_nobody_names_is_not_known(tmp_path: Path) -> None:
    topology(tmp_path, {0: "0", 1: "1"})
    assert performance_cores({0, 1}, tmp_path) is None
    assert read_cores(devices=tmp_path).performance is None


def test_a_quota_caps_every_count(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cpu, "allowed_cpus", lambda: frozenset(range(4)))
    topology(tmp_path, {0: "0", 1: "1", 2: "2", 3: "3"}, cpu__type="4")
    assert read_cores(None, tmp_path) == cpu.Cores(4, 4, 4)
    assert read_cores(1.5, tmp_path) == cpu.Cores(2, 2, 2)
    assert read_cores(0.2, tmp_path) == cpu.Cores(1, 1, 1)
    assert read_cores(64.0, tmp_path) == cpu.Cores(4, 4, 4)


@pytest.mark.skipif(sys.platform == "darwin", reason="a system with affinity")
def test_without_an_affinity_every_processor_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(psutil.Process, "cpu_affinity", lambda process: [])
    assert allowed_cpus() == frozenset(range(os.cpu_count() or 1))


@pytest.mark.skipif(sys.platform != "linux", reason="affinity as Linux has it")
def test_affinity_is_respected() -> None:
    before = os.sched_getaffinity(0)
    one = min(before)
    os.sched_setaffinity(0, {one})
    try:
        assert allowed_cpus() == {one}
        cores = read_cores()
        assert (cores.logical, cores.physical) == (1, 1)
    finally:
        os.sched_setaffinity(0, before)
