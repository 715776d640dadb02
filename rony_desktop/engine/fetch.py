"""Gets lists and archives of engine builds: redirects followed, every byte hashed as it comes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from rony_desktop.contract import redirect
from rony_desktop.contract.build import Archive
from rony_desktop.contract.error import InstallChecksum, InstallError
from rony_desktop.contract.halt import Halt
from rony_desktop.contract.port import Answer, Web
from rony_desktop.contract.progress import Tell

LIST_LIMIT_BYTES = 32 * 1024 * 1024
ARCHIVE_LIMIT_BYTES = 4 * 1024**3
_BUSY = (HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS)


def ask(web: Web, url: str, halt: Halt) -> Any:
    """JSON from an address. Blocking. Raises HubError, InstallError; Halted."""
    content = bytearray()
    with _opened(web, url, halt) as answer:
        for block in answer.blocks():
            content += block
            if len(content) > LIST_LIMIT_BYTES:
                raise InstallError(name=_host(url), detail="its answer has no end")
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise InstallError(name=_host(url), detail="its answer is not a list") from error


def save(web: Web, archive: Archive, target: Path, halt: Halt, tell: Tell) -> None:
    """Download an archive to a new file, which is there only when its hash is right. Blocking.

    tell gets bytes.

    Raises:
        InstallChecksum: what came is something else.
        InstallError: it cannot be had, or not be written.
        HubError: the server cannot be reached; Halted: halt ended it.
    """
    try:
        with ExitStack() as undo:
            file = target.open("xb")
            undo.callback(target.unlink, missing_ok=True)
            undo.callback(file.close)
            with _opened(web, archive.url, halt) as answer:
                found = _copy(archive, _checked(answer, halt), file, tell)
            if found != archive.sha256:
                raise InstallChecksum(name=archive.name, detail="its SHA-256 is another one")
            file.close()
            undo.pop_all()
    except OSError as error:
        raise InstallError(name=archive.name, detail=error.strerror or error) from error


def _copy(archive: Archive, blocks: Iterator[bytes], file: IO[bytes], tell: Tell) -> str:
    """Write what comes and return its hash."""
    digest, done = hashlib.sha256(), 0
    limit = archive.size_bytes or ARCHIVE_LIMIT_BYTES
    for block in blocks:
        done += len(block)
        if done > limit:
            raise InstallChecksum(name=archive.name, detail="it is larger than announced")
        digest.update(block)
        file.write(block)
        tell(done, archive.size_bytes)
    return digest.hexdigest()


def _checked(answer: Answer, halt: Halt) -> Iterator[bytes]:
    for block in answer.blocks():
        halt.check()
        yield block


@contextmanager
def _opened(web: Web, url: str, halt: Halt) -> Iterator[Answer]:
    """Follow redirects to an answer with a body that is no web page."""
    for _ in range(redirect.LIMIT):
        with web.get(url, {}, halt) as answer:
            if not redirect.is_redirect(answer.status):
                _check(url, answer)
                yield answer
                return
            host, url = _host(url), redirect.redirected(url, answer.headers.get("location", ""))
        if not url:
            raise InstallError(name=host, detail="it redirects to an address that is not safe")
    raise InstallError(name=_host(url), detail="it redirects without end")


def _check(url: str, answer: Answer) -> None:
    detail = ""
    if answer.status in _BUSY:
        detail = "it was asked too often; try again in an hour"
    elif answer.status == HTTPStatus.NOT_FOUND:
        detail = f"it has nothing at {urlsplit(url).path}"
    elif answer.status != HTTPStatus.OK:
        detail = f"it answered with HTTP status {answer.status}"
    elif answer.headers.get("content-type", "").lower().startswith("text/html"):
        detail = "it sent a web page; perhaps this network wants you to sign in first"
    if detail:
        raise InstallError(name=_host(url), detail=detail)


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or url
    except ValueError:
        return url
