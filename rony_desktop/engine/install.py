"""Gets a build of the engine and puts it beside the others, whole or not at all."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from rony_desktop.contract.build import Build, Release
from rony_desktop.contract.error import InstallError, InstallUnsafe
from rony_desktop.contract.halt import Halt
from rony_desktop.contract.port import Web
from rony_desktop.contract.progress import Tell
from rony_desktop.engine.build import write_page
from rony_desktop.engine.fetch import save
from rony_desktop.engine.unpack import unpack

STAGING = ".staging-"
PROGRAMS = ("llama-server", "llama-server.exe")


def stage(release: Release, folder: Path, web: Web, halt: Halt, tell: Tell) -> Build:
    """Download and unpack a release into a new folder beside the builds. Blocking.

    Nobody uses it before commit(); discard() takes it back. tell counts over all archives, its
    total is 0 where the size is not known.

    Raises:
        InstallError: it cannot be had, written or unpacked, or holds no engine.
        HubError: the server cannot be reached; Halted: halt ended it. Nothing is left then.
    """
    staging = folder / f"{STAGING}{release.id}-{secrets.token_hex(4)}"
    with ExitStack() as undo:
        try:
            staging.mkdir(mode=0o700, parents=True)
        except OSError as error:
            raise InstallError(name=release.id, detail=error.strerror or error) from error
        undo.callback(shutil.rmtree, staging, ignore_errors=True)
        before = 0
        for number, archive in enumerate(release.archives):

            def told(done: int, _: int, before: int = before) -> None:
                tell(before + done, release.size_bytes)

            file = staging / "archive"
            save(web, archive, file, halt, told)
            before += file.stat().st_size
            unpack(file, staging / "part" / str(number), halt)
            file.unlink()
        program = _assembled(release, staging)
        undo.pop_all()
    return Build(release.build, release.variant, program, release.pinned)


def commit(build: Build, folder: Path) -> Build:
    """Give a staged build its place in one rename. Blocking.

    Raises:
        InstallError: the disk refuses; the staged build is left for discard().
    """
    staging, target = _staging(build, folder), folder / build.id
    program = build.program.relative_to(staging)
    try:
        write_page(staging, build, program.as_posix())
        if target.exists():  # left by hand, or its page cannot be read
            shutil.rmtree(target)
        staging.rename(target)
    except OSError as error:
        raise InstallError(name=build.id, detail=error.strerror or error) from error
    return Build(build.build, build.variant, target / program, build.pinned)


def discard(build: Build, folder: Path) -> None:
    """Delete a staged build; one that was committed stays. Blocking."""
    shutil.rmtree(_staging(build, folder), ignore_errors=True)


def sweep(folder: Path) -> None:
    """Delete what a killed installation left; nobody else may be installing. Blocking."""
    for left in folder.glob(f"{STAGING}*"):
        shutil.rmtree(left, ignore_errors=True)


def _staging(build: Build, folder: Path) -> Path:
    return folder / build.program.relative_to(folder).parts[0]


def _assembled(release: Release, staging: Path) -> Path:
    """The engine's program, with the files of further archives moved beside it."""
    folders = sorted((staging / "part").iterdir())
    program = next(_programs(folders[0]), None)
    if program is None:
        name = release.archives[0].name
        raise InstallUnsafe(name=name, detail="there is no llama-server in it")
    for folder in folders[1:]:
        for file in sorted(folder.rglob("*")):
            target = program.with_name(file.name)
            if file.is_file() and not target.exists():
                file.rename(target)
    program.chmod(0o755)
    return program


def _programs(folder: Path) -> Iterator[Path]:
    for name in PROGRAMS:
        yield from (path for path in sorted(folder.rglob(name)) if path.is_file())
