"""The hub of Hugging Face, or one that speaks as it does, over an HTTP client given to it.

Its own library is not used: it takes tokens from files nobody showed it, has its own ideas of
proxies, caches and offline, and does not check what it downloaded. Three requests are needed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from rony_desktop.contract.error import HubForeign, ModelCut, ModelFileError
from rony_desktop.contract.halt import Halt
from rony_desktop.contract.hub import Body, HubFile, HubModel, Quant
from rony_desktop.contract.model import ModelMetadata
from rony_desktop.contract.port import Web
from rony_desktop.model.access import Access, Site, host_of
from rony_desktop.model.body import read_body, rest_of
from rony_desktop.model.gguf import GgufMetadataReader
from rony_desktop.model.listing import quants
from rony_desktop.model.part import place
from rony_desktop.model.start import read_start

ENDPOINT = "https://huggingface.co"
HEADER_FIRST_BYTES = 1024 * 1024
HEADER_LIMIT_BYTES = 64 * 1024 * 1024
SIZE_LIMIT_BYTES = 1 << 43
_SHA256_DIGITS = 64
_WANTED = ("downloads", "likes", "gated", "lastModified", "tags")
_LICENCE = "license:"
T = TypeVar("T")


class HuggingFaceHub:
    """The ModelHub over HTTP; it keeps nothing between calls."""

    def __init__(self, web: Web, site: Site) -> None:
        self._access = Access(web, site)
        self._files = site.mirror or site.endpoint
        self._host = host_of(site.endpoint)

    async def search(self, query: str, limit: int) -> tuple[HubModel, ...]:
        """Models that have GGUF files, the most downloaded first. Raises HubError."""
        asked = [("search", query), ("filter", "gguf"), ("sort", "downloads"), ("direction", "-1")]
        asked += [("limit", str(limit)), *(("expand[]", name) for name in _WANTED)]
        path = f"/api/models?{urlencode(asked)}"
        return await self._in_thread(lambda halt: self._read(self._access.ask(path, halt), _models))

    async def files(self, model: str) -> tuple[Quant, ...]:
        """What of a model can be downloaded, the smallest first. Raises HubError."""
        path = f"/api/models/{quote(model)}/revision/main?blobs=true"
        return await self._in_thread(
            lambda halt: quants(self._read(self._access.ask(path, halt), _files))
        )

    async def header(self, quant: Quant) -> ModelMetadata:
        """What the files say of themselves, read from their beginnings.

        Raises:
            HubError: it cannot be had.
            ModelFileError: it is no model; path is the name of the file.
        """
        return await self._in_thread(lambda halt: self._header(quant, halt))

    @contextmanager
    def fetch(
        self, file: HubFile, offset: int, halt: Halt, limit_bytes: int | None = None
    ) -> Iterator[Body]:
        """The bytes of a file from offset on, at most limit_bytes. Blocking.

        Raises:
            HubError: it cannot be had.
            UpstreamChanged: the file is shorter than offset.
            Halted: halt ended it.
        """
        place = f"{quote(file.model)}/resolve/{quote(file.revision, safe='')}/{quote(file.name)}"
        last = "" if limit_bytes is None else str(offset + limit_bytes - 1)
        asked = {"Range": f"bytes={offset}-{last}"} if offset or last else {}
        with read_body(self._access, f"{self._files}/{place}", halt, asked) as body:
            yield body

    async def _in_thread(self, work: Callable[[Halt], T]) -> T:
        """The result of blocking work, which ends as soon as its caller is cancelled."""
        halt = Halt()
        try:
            return await asyncio.to_thread(work, halt)
        finally:
            halt.stop()

    def _read(self, answer: Any, reader: Callable[[Any], T]) -> T:
        try:
            return reader(answer)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise HubForeign(host=self._host, detail="its list is in another form") from error

    def _header(self, quant: Quant, halt: Halt) -> ModelMetadata:
        with TemporaryDirectory() as folder:
            names = {place(Path(folder), file): file for file in quant.files}
            try:
                next(iter(names)).parent.mkdir(parents=True)
                for path, file in names.items():
                    self._fetch_start(path, file, halt)
                found = GgufMetadataReader().read(next(iter(names)))
            except ModelFileError as error:
                name = quant.files[0].name
                raise type(error)(**{**error.params, "path": name}) from error
            except OSError as error:
                detail = error.strerror or error
                raise ModelFileError(path=quant.files[0].name, detail=detail) from error
        first, *later = (Path(path.name) for path in names)
        return replace(found, path=first, parts=tuple(later))

    def _fetch_start(self, path: Path, file: HubFile, halt: Halt) -> None:
        """Write the header of a file, and no more, into a sparse one of the same size."""
        have, more = 0, HEADER_FIRST_BYTES
        while True:
            have += self._append(path, file, have, more, halt)
            try:
                read_start(path, file.size_bytes)
                break
            except ModelCut:
                if have >= min(HEADER_LIMIT_BYTES, file.size_bytes):
                    raise
            more = min(have, HEADER_LIMIT_BYTES - have)
        with path.open("r+b") as sparse:
            sparse.truncate(file.size_bytes)

    def _append(self, path: Path, file: HubFile, have: int, more: int, halt: Halt) -> int:
        """Append the next bytes; a server that sends others too is read no further than needed."""
        written = 0
        with path.open("ab") as kept, self.fetch(file, have, halt, more) as body:
            for block in rest_of(body, have):
                written += kept.write(block[: more - written])
                if written >= more:
                    break
        return written


def _models(answer: Any) -> tuple[HubModel, ...]:
    return tuple(
        HubModel(
            id=str(each["id"]),
            downloads=int(each.get("downloads") or 0),
            gated=bool(each.get("gated")),
            likes=int(each.get("likes") or 0),
            licence=_licence(each.get("tags") or ()),
            updated=_moment(each.get("lastModified")),
        )
        for each in answer
        if str(each["id"]).isprintable()
    )


def _files(answer: Any) -> list[HubFile]:
    model, revision = str(answer["id"]), str(answer["sha"])
    found = []
    for each in answer["siblings"]:
        stored = each.get("lfs") or {}
        sha256 = str(stored.get("sha256") or stored.get("oid") or "").lower()
        if len(sha256) != _SHA256_DIGITS:
            sha256 = ""
        size = int(stored.get("size") or each.get("size") or 0)
        if not 0 <= size <= SIZE_LIMIT_BYTES:
            raise ValueError(size)
        file = HubFile(model, str(each["rfilename"]), size, sha256, revision)
        with suppress(HubForeign):  # its name leads elsewhere, or no system would take it
            place(Path(), file)
            found.append(file)
    return found


def _licence(tags: Any) -> str:
    found = (tag.removeprefix(_LICENCE) for tag in tags if tag.startswith(_LICENCE))
    return next(filter(str.isprintable, found), "")


def _moment(text: Any) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
