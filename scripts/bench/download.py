"""A gigabyte over loopback, hashed and written through, against curl."""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rony_desktop.app.download import DownloadService, Rules
from rony_desktop.app.feed import Feed
from rony_desktop.app.hub import create_hub
from rony_desktop.contract.config import Config, HubConfig
from rony_desktop.contract.download import DownloadState
from rony_desktop.contract.event import DownloadChanged, FeedEvent
from rony_desktop.contract.hub import HubFile, Quant
from rony_desktop.store.record import FileRecordStore
from scripts.bench.figure import Figure

SIZE = 1_000_000_000
BLOCK = 1_000_000
ROUNDS = 5
BOUND = 0.9
ROOT = Path(__file__).resolve().parents[2]
# The header of a GGUF file without keys and tensors: no more of it is looked at.
HEADER = b"GGUF" + (3).to_bytes(4, "little") + bytes(16)


def measure() -> list[Figure]:
    """The same server for both, in turns, medians; nothing where curl is missing."""
    curl = shutil.which("curl")
    if curl is None:
        return []
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        quant = written(folder / "m.gguf")
        with serving(folder / "m.gguf") as url:
            times: dict[str, list[float]] = {"curl": [], "ours": []}
            # The first of ours imports what a program has imported long before.
            asyncio.run(ours(url, quant, folder / "ours"))
            for _ in range(ROUNDS):
                times["curl"].append(by_curl(curl, url, folder / "out"))
                times["ours"].append(asyncio.run(ours(url, quant, folder / "ours")))
    curls, our = (statistics.median(found) for found in times.values())
    pairs = ", ".join(f"{c / o:.2f}" for c, o in zip(*times.values(), strict=True))
    detail = f"{SIZE / our / 1e6:.0f} and {SIZE / curls / 1e6:.0f} MB/s; {pairs}"
    return [Figure("a 1 GB download over curl's speed", curls / our, BOUND, "", True, detail)]


def written(path: Path) -> Quant:
    """Make the file, and say what a hub says of it."""
    block, digest = os.urandom(BLOCK), hashlib.sha256()
    with path.open("wb") as file:
        for number in range(SIZE // BLOCK):
            data = block if number else HEADER + block[len(HEADER) :]
            file.write(data)
            digest.update(data)
        os.fsync(file.fileno())
    return Quant("", (HubFile("a/b", path.name, SIZE, digest.hexdigest()),))


@contextmanager
def serving(path: Path) -> Iterator[str]:
    """The address of a server of the file."""
    command = [sys.executable, "-m", "scripts.bench.file_server", str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        try:
            if server.stdout is None:
                raise RuntimeError("the server says nothing")
            yield f"http://127.0.0.1:{server.stdout.readline().strip()}"
        finally:
            server.kill()


def by_curl(curl: str, url: str, out: Path) -> float:
    """Seconds of curl."""
    os.sync()  # nobody pays for what the one before left to be written
    begun = time.perf_counter()
    subprocess.run([curl, "-s", "-f", "--noproxy", "*", "-o", str(out), url], check=True)
    seconds = time.perf_counter() - begun
    out.unlink()
    return seconds


async def ours(url: str, quant: Quant, home: Path) -> float:
    """Seconds from the start of a download until its model is there."""
    feed, over = Feed(), asyncio.Event()
    said: list[DownloadState] = []

    def heard(event: FeedEvent) -> None:
        if isinstance(event, DownloadChanged):
            said.append(event.download.state)
            if said[-1] in (DownloadState.DONE, DownloadState.FAILED):
                over.set()

    feed.listen(heard)
    hub = create_hub(Config(hub=HubConfig(endpoint=url)), {})
    rules = Rules(folder=home / "models", locks_dir=home / "lock", parallel=2, reserve_bytes=0)
    service = DownloadService(hub, FileRecordStore(home / "records"), feed, rules)
    await asyncio.to_thread(os.sync)
    begun = time.perf_counter()
    await service.start(quant)
    await over.wait()
    seconds = time.perf_counter() - begun
    await service.close()
    shutil.rmtree(home)
    if said[-1] is not DownloadState.DONE:
        raise RuntimeError("the download failed")
    return seconds
