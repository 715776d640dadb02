"""An attacker process that swaps files, folders and links while the box reads and writes."""

from __future__ import annotations

import contextlib
import errno
import os
import subprocess
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rony_desktop.contract.error import SandboxViolationError
from rony_desktop.tool.sandbox.root import Root

MODES = [pytest.param(True, id="openat2"), pytest.param(False, id="walk")]
SECONDS = [pytest.param(2.0, id="2s"), pytest.param(10.0, id="10s", marks=pytest.mark.race)]
SECRET = b"secret"
LEAST = 20  # below it the attacker was not running, and nothing was shown

# Exchanges the two names of every pair until it is ended.
ATTACKER = """
    import ctypes, itertools, os, sys
    renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    pairs = [(os.fsencode(a), os.fsencode(b)) for a, b in zip(sys.argv[1::2], sys.argv[2::2])]
    AT_FDCWD, RENAME_EXCHANGE = -100, 2
    print("ready", flush=True)
    for one, other in itertools.cycle(pairs):
        if renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE):
            code = ctypes.get_errno()
            if code != 2:
                sys.exit(os.strerror(code))
        if os.getppid() == 1:
            break
"""


@contextmanager
def attacker(*names: Path) -> Iterator[None]:
    command = [sys.executable, "-c", textwrap.dedent(ATTACKER), *map(str, names)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        try:
            yield
            assert process.poll() is None, "the attacker gave up"
        finally:
            process.kill()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """ROOT with a file and a folder, links to the outside beside them, and the outside."""
    folder = tmp_path / "ROOT"
    (folder / "dir").mkdir(parents=True)
    (folder / "file").write_bytes(b"good")
    (folder / "dir" / "file").write_bytes(b"good")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_bytes(SECRET)
    (folder / "evil-file").symlink_to(outside / "file")
    (folder / "evil-dir").symlink_to("../outside")
    return folder


def outside(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (root.parent / "outside").iterdir()}


@pytest.mark.parametrize("seconds", SECONDS)
@pytest.mark.parametrize("kernel", MODES)
def test_toctou_swap_leaks_nothing(root: Path, kernel: bool, seconds: float) -> None:
    seen: Counter[bytes | str] = Counter()
    pairs = (root / "file", root / "evil-file", root / "dir", root / "evil-dir")
    with Root(root, kernel=kernel) as box, attacker(*pairs):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for path in ("file", "dir/file", "dir/../dir/file"):
                try:
                    seen[box.read_bytes(path)] += 1
                except SandboxViolationError:
                    seen["refused"] += 1
                except (FileNotFoundError, NotADirectoryError):
                    seen["missing"] += 1  # what was seen as a link is a folder again
    assert set(seen) <= {b"good", "refused", "missing"}, seen
    assert seen[b"good"] >= LEAST
    assert seen["refused"] >= LEAST


@pytest.mark.parametrize("seconds", SECONDS)
@pytest.mark.parametrize("kernel", MODES)
def test_toctou_swap_changes_nothing_outside(root: Path, kernel: bool, seconds: float) -> None:
    before = outside(root)
    done: Counter[str] = Counter()
    pairs = (root / "file", root / "evil-file", root / "dir", root / "evil-dir")
    with Root(root, kernel=kernel) as box, attacker(*pairs):

        def create() -> None:
            with box.create("file") as file:
                file.write(b"good")

        ways = {
            "write": lambda: box.write_bytes("dir/new", b"good"),
            "create": create,
            "mkdir": lambda: box.mkdir("dir/folder"),
            "rename": lambda: box.rename("dir/new", "dir/moved"),
            "remove": lambda: box.remove("dir/moved"),
            "remove file": lambda: box.remove("dir/file"),
            "rmdir": lambda: box.remove("dir/folder"),
            "overwrite": lambda: box.write_bytes("dir/file", b"good"),
        }
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for name, way in ways.items():
                with contextlib.suppress(OSError):
                    way()
                    done[name] += 1
    assert outside(root) == before
    assert set(done) == set(ways), "each must have worked at least once"


@pytest.mark.parametrize("kernel", MODES)
def test_a_folder_renamed_away_does_not_lead_out(root: Path, kernel: bool) -> None:
    """base/a/a/a/a/../../../../a/f while base/a goes elsewhere: never the other f."""
    (root / "base" / "a" / "a" / "a" / "a").mkdir(parents=True)
    away = root.parent / "away"
    (away / "x").mkdir(parents=True)
    for folder in (root.parent / "a", away / "a", root.parent / "outside" / "a"):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "f").write_bytes(SECRET)
    (root / "base" / "a" / "f").write_bytes(b"good")
    seen: Counter[bytes | str] = Counter()
    with Root(root / "base", kernel=kernel) as box, attacker(root / "base" / "a", away / "x"):
        end = time.monotonic() + 2
        while time.monotonic() < end:
            try:
                seen[box.read_bytes("a/a/a/a/../../../../a/f")] += 1
            except SandboxViolationError:
                seen["refused"] += 1
            except FileNotFoundError:
                seen["missing"] += 1
    assert SECRET not in seen
    assert seen[b"good"] >= LEAST
    assert seen["missing"] + seen["refused"] >= LEAST


WRITER = """
    import sys
    from rony_desktop.tool.sandbox.root import Root
    with Root(sys.argv[1]) as box:
        for number in range(1_000_000):
            box.write_bytes("f", bytes([65 + number % 26]) * 300_000)
            print(number, flush=True)
"""


@pytest.mark.parametrize("repeat", range(3))
def test_a_killed_write_leaves_no_half_file(tmp_path: Path, repeat: int) -> None:
    command = [sys.executable, "-c", textwrap.dedent(WRITER), str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout
        for _ in range(3 + repeat):
            writer.stdout.readline()
        writer.kill()
    with Root(tmp_path) as box:
        data = box.read_bytes("f")
        assert len(data) == 300_000
        assert len(set(data)) == 1
        assert box.list() == ["f"]


@pytest.mark.parametrize("kernel", MODES)
def test_nothing_above_a_mount_is_reached(tmp_path: Path, kernel: bool) -> None:
    with Root(Path("/proc"), kernel=kernel) as box:
        with pytest.raises(OSError) as raised:
            box.read_bytes("self/root/etc/hostname")
        assert raised.value.errno in (None, errno.EACCES, errno.ENOENT)
        assert box.read_text("self/stat").startswith(f"{os.getpid()} ")
