"""Requests to one hub: redirects, the token that only it may see, refusals as typed errors."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import SplitResult, urlsplit

from rony_desktop.contract import redirect
from rony_desktop.contract.error import (
    HubBusy,
    HubDown,
    HubError,
    HubForeign,
    HubGated,
    HubMissing,
    HubUnauthorised,
    RonyError,
    UpstreamChanged,
)
from rony_desktop.contract.halt import Halt
from rony_desktop.contract.port import Answer, Web

JSON_LIMIT_BYTES = 32 * 1024 * 1024
BUSY_S = 30
_PORTS = {"http": 80, "https": 443}
_LINKED = "x-linked-"


@dataclass(frozen=True, slots=True)
class Site:
    """Where a hub is: its address, the one files are taken from, and the token of its account."""

    endpoint: str
    mirror: str = ""
    token: str = field(default="", repr=False)


class Access:
    """Asks a hub. The token goes to the endpoint's own host, port and scheme, and nowhere else."""

    def __init__(self, web: Web, site: Site) -> None:
        self._web = web
        self._site = site

    @contextmanager
    def opened(
        self, url: str, halt: Halt, headers: Mapping[str, str] | None = None
    ) -> Iterator[tuple[Answer, Mapping[str, str]]]:
        """Follow redirects to an answer with a body; it comes with the headers of the file.

        What the hub says of a file stands in its redirect, and outranks what the last host says.
        Blocking. Raises HubError, UpstreamChanged where the file is shorter than asked; Halted.
        """
        linked: dict[str, str] = {}
        for _ in range(redirect.LIMIT):
            sent = {**(headers or {}), **self._authorised(url)}
            with self._web.get(url, sent, halt) as answer:
                linked |= {k: v for k, v in answer.headers.items() if k.startswith(_LINKED)}
                if not redirect.is_redirect(answer.status):
                    if answer.status not in (HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT):
                        raise self._refused(url, answer)
                    _check_kind(url, answer)
                    yield answer, {**answer.headers, **linked}
                    return
                host = urlsplit(url).hostname
                url = redirect.redirected(url, answer.headers.get("location", ""))
            if not url:
                detail = "it redirects to an address that cannot be used"
                raise HubForeign(host=host, detail=detail)
        raise HubForeign(host=urlsplit(url).hostname, detail="it redirects without end")

    def ask(self, path: str, halt: Halt) -> Any:
        """Get JSON from a path of the hub. Blocking. Raises HubError; Halted."""
        url = self._site.endpoint + path
        host = host_of(url)
        content = bytearray()
        with self.opened(url, halt, {"Accept": "application/json"}) as (answer, _):
            for block in answer.blocks():
                content += block
                if len(content) > JSON_LIMIT_BYTES:
                    raise HubForeign(host=host, detail="its answer has no end")
        try:
            return json.loads(content)
        except (ValueError, RecursionError) as error:
            raise HubForeign(host=host, detail="it is not JSON") from error

    def _authorised(self, url: str) -> dict[str, str]:
        try:
            own = _origin(url) == _origin(self._site.endpoint)
        except ValueError:  # no address; who is to ask there says so
            own = False
        if not (own and self._site.token):
            return {}
        return {"Authorization": f"Bearer {self._site.token}"}

    def _refused(self, url: str, answer: Answer) -> RonyError:
        parts, status = urlsplit(url), answer.status
        host = parts.hostname
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            return HubBusy(host=host, seconds=_seconds(answer.headers.get("retry-after", "")))
        if status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            return UpstreamChanged(name=parts.path.rpartition("/")[2])
        if status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
            return HubMissing(host=host, path=parts.path)
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            return self._forbidden(url, answer)
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.REQUEST_TIMEOUT:
            return HubDown(host=host, status=status)
        return HubError(host=host, detail=f"HTTP status {status}")

    def _forbidden(self, url: str, answer: Answer) -> HubError:
        parts = urlsplit(url)
        code = answer.headers.get("x-error-code", "")
        if _origin(url) != _origin(self._site.endpoint):
            # What a redirect leads to is signed for some minutes; the hub signs it anew.
            return HubDown(host=parts.hostname, status=answer.status)
        if code == "GatedRepo" or (answer.status == HTTPStatus.FORBIDDEN and not code):
            model = _model(parts)
            return HubGated(model=model, page=f"{self._site.endpoint}/{model}")
        return HubUnauthorised(host=parts.hostname)


def host_of(url: str) -> str:
    """The host of an address, and all of what is no address."""
    try:
        return urlsplit(url).hostname or url
    except ValueError:
        return url


def _check_kind(url: str, answer: Answer) -> None:
    if answer.headers.get("content-type", "").lower().startswith("text/html"):
        raise HubForeign(host=urlsplit(url).hostname, detail="it is a web page")


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or _PORTS.get(parts.scheme)


def _model(parts: SplitResult) -> str:
    """The id of the model an address of the hub is about."""
    words = parts.path.removeprefix("/api/models").strip("/").split("/")
    return "/".join(words[:2])


def _seconds(text: str) -> int:
    """Seconds of Retry-After, which may be a date: then a usual pause."""
    return min(3600, int(text[:9])) if text.isdecimal() else BUSY_S
