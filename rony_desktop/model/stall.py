"""Signs that the kernel is short of memory: what waits for it, and what was ended for it.

Linux, Documentation/accounting/psi.rst and Documentation/admin-guide/cgroup-v2.rst
("memory.pressure", "memory.events"), cgroup-v1/memory.rst ("memory.oom_control").
"""

from __future__ import annotations

import re
from pathlib import Path

from rony_desktop.model.cgroup import parse_groups
from rony_desktop.model.sysfs import read_text

_SOME = re.compile(r"^some avg10=(\d+(?:\.\d+)?)", re.MULTILINE)
_KILLS = re.compile(r"^oom_kill (\d+)$", re.MULTILINE)


def read_signs(root: Path = Path("/")) -> tuple[float | None, int | None]:
    """Percent of the last ten seconds in which a process waited for memory, and kills so far.

    Those of this process's control group where it has its own, else the computer's.
    """
    groups = parse_groups(read_text(root / "proc/self/cgroup"))
    mount = root / "sys/fs/cgroup"
    new, old = mount / groups.get("", "").lstrip("/"), groups.get("memory", "").lstrip("/")
    stall = _first(_SOME, new / "memory.pressure", root / "proc/pressure/memory")
    kills = _first(
        _KILLS,
        new / "memory.events",
        mount / "memory" / old / "memory.oom_control",
        root / "proc/vmstat",
    )
    return None if stall is None else float(stall), None if kills is None else int(kills)


def _first(pattern: re.Pattern[str], *files: Path) -> str | None:
    found = (pattern.search(read_text(file)) for file in files)
    return next((match[1] for match in found if match), None)
