"""Room on the disk that holds, or will hold, a file."""

from __future__ import annotations

import shutil
from pathlib import Path


def free_bytes(path: Path) -> int | None:
    """Bytes this user may still write at a path, which need not exist; None if not known."""
    for place in (path, *path.absolute().parents):
        try:
            return shutil.disk_usage(place).free
        except FileNotFoundError:
            continue
        except OSError:
            return None
    return None
