"""Limits of control groups, both versions, found upwards from the process's own group."""

from __future__ import annotations

from pathlib import Path

from rony_desktop.model.cgroup import Limits, parse_groups, read_limits
from tests.fixture.device import RECORDED_CGROUP, RECORDED_NO_LIMIT

GIB = 1 << 30
V1_GROUP = "memory/job/7"


def system(root: Path, groups: str, files: dict[str, str]) -> Path:
    for name, content in ({"proc/self/cgroup": groups} | files).items():
        path = root / (name if name.startswith("proc") else f"sys/fs/cgroup/{name}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{content}\n", encoding="utf-8")
    return root


def test_without_control_groups_nothing_is_limited(tmp_path: Path) -> None:
    assert read_limits(tmp_path) == Limits()


def test_groups_are_known_by_controller() -> None:
    groups = parse_groups(RECORDED_CGROUP + "7:cpu,cpuacct:/a:b\n")
    assert groups["memory"] == "/job/7"
    assert groups[""] == "/"
    assert groups["cpuacct"] == "/a:b"


def test_a_limit_of_version_2_counts_cached_files_as_free(tmp_path: Path) -> None:
    files = {
        "app/memory.max": str(4 * GIB),
        "app/memory.current": str(3 * GIB),
        "app/memory.stat": f"anon 5\nfile 7\ninactive_file {GIB}\nactive_file 4096\nodd",
        "app/cpu.max": "150000 100000",
    }
    limits = read_limits(system(tmp_path, "0::/app", files))
    assert limits == Limits(4 * GIB, 2 * GIB + 4096, 1.5)


def test_the_tightest_of_the_groups_above_counts(tmp_path: Path) -> None:
    files = {
        "memory.max": str(64 * GIB),
        "memory.current": str(63 * GIB),
        "a/memory.max": str(8 * GIB),
        "a/memory.current": "0",
        "a/b/memory.max": "max",
        "a/b/memory.current": "0",
        "a/cpu.max": "400000 100000",
        "a/b/cpu.max": "max 100000",
    }
    limits = read_limits(system(tmp_path, "0::/a/b", files))
    assert limits == Limits(8 * GIB, GIB, 4.0)


def test_a_group_over_its_limit_has_nothing_free(tmp_path: Path) -> None:
    files = {"memory.max": "1000", "memory.current": "2000"}
    assert read_limits(system(tmp_path, "0::/", files)).memory_free_bytes == 0


def test_more_cache_than_use_is_no_more_than_the_limit(tmp_path: Path) -> None:
    files = {"memory.max": "1000", "memory.current": "10", "memory.stat": "inactive_file 5000"}
    assert read_limits(system(tmp_path, "0::/", files)).memory_free_bytes == 1000


def test_the_recorded_process_has_no_limit_that_binds(tmp_path: Path) -> None:
    files = {
        f"{V1_GROUP}/memory.limit_in_bytes": RECORDED_NO_LIMIT,
        f"{V1_GROUP}/memory.usage_in_bytes": "50937856",
        "memory/memory.limit_in_bytes": RECORDED_NO_LIMIT,
        "cpu/cpu.cfs_quota_us": "-1",
        "cpu/cpu.cfs_period_us": "100000",
    }
    limits = read_limits(system(tmp_path, RECORDED_CGROUP, files))
    assert limits.memory_bytes == int(RECORDED_NO_LIMIT)
    assert limits.cpus is None


def test_a_container_of_version_1_sees_its_limits_at_the_top(tmp_path: Path) -> None:
    files = {
        "memory/memory.limit_in_bytes": str(2 * GIB),
        "memory/memory.usage_in_bytes": str(GIB),
        "memory/memory.stat": "total_inactive_file 100\ntotal_active_file 20\ninactive_file 9",
        "cpu/cpu.cfs_quota_us": "200000",
        "cpu/cpu.cfs_period_us": "100000",
    }
    groups = "4:memory:/docker/abc\n1:cpu,cpuacct:/docker/abc"
    limits = read_limits(system(tmp_path, groups, files))
    assert limits == Limits(2 * GIB, GIB + 120, 2.0)


def test_a_quota_without_a_period_is_none(tmp_path: Path) -> None:
    assert read_limits(system(tmp_path, "0::/", {"cpu.max": "100000 0"})).cpus is None
    assert read_limits(system(tmp_path, "0::/", {"cpu.max": "100000"})).cpus is None
