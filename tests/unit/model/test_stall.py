"""What the kernel says of memory that is short, of this group before the whole computer."""

from __future__ import annotations

from pathlib import Path

from rony_desktop.model.stall import read_signs

STALL = "some avg10={} avg60=0.00 avg300=0.00 total=5\nfull avg10=0.00 avg60=0.00 total=4\n"


def put(root: Path, path: str, text: str) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def test_nothing_is_known_where_nothing_is_said(tmp_path: Path) -> None:
    assert read_signs(tmp_path) == (None, None)


def test_the_computers_own_where_there_is_no_group(tmp_path: Path) -> None:
    put(tmp_path, "proc/pressure/memory", STALL.format("7.50"))
    put(tmp_path, "proc/vmstat", "oom_kill_other 9\noom_kill 2\n")
    assert read_signs(tmp_path) == (7.5, 2)


def test_the_groups_own_comes_first(tmp_path: Path) -> None:
    put(tmp_path, "proc/pressure/memory", STALL.format("7.50"))
    put(tmp_path, "proc/vmstat", "oom_kill 2\n")
    put(tmp_path, "proc/self/cgroup", "0::/user/app\n")
    put(tmp_path, "sys/fs/cgroup/user/app/memory.pressure", STALL.format("0.25"))
    put(tmp_path, "sys/fs/cgroup/user/app/memory.events", "low 0\noom 5\noom_kill 4\n")
    assert read_signs(tmp_path) == (0.25, 4)


def test_the_older_version_counts_kills_too(tmp_path: Path) -> None:
    put(tmp_path, "proc/self/cgroup", "4:memory:/job\n0::/\n")
    put(tmp_path, "sys/fs/cgroup/memory/job/memory.oom_control", "under_oom 0\noom_kill 1\n")
    assert read_signs(tmp_path) == (None, 1)
