"""What a server says of the bytes it sends: where they begin, of how many, of which version."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from urllib.parse import urlsplit

from rony_desktop.contract.error import HubForeign
from rony_desktop.contract.halt import Halt
from rony_desktop.contract.hub import Body
from rony_desktop.contract.port import Answer
from rony_desktop.model.access import Access

_RANGE = re.compile(r"bytes (\d{1,18})-\d+/(\d+|\*)")
_NUMBER = re.compile(r"\d{1,18}")


@contextmanager
def read_body(access: Access, url: str, halt: Halt, headers: Mapping[str, str]) -> Iterator[Body]:
    """The body at an address, as its headers describe it. Blocking. Raises HubError; Halted."""
    with access.opened(url, halt, headers) as (answer, found):
        start, size = _place(url, answer)
        etag = found.get("x-linked-etag") or found.get("etag", "")
        yield Body(start, size, etag.removeprefix("W/").strip('"'), answer.blocks())


def rest_of(body: Body, offset: int) -> Iterator[bytes]:
    """The blocks of a body from offset on; what a server sent beside the point is passed over."""
    skip = offset - body.start
    for block in body.blocks:
        if skip < len(block):
            yield block[skip:] if skip else block
        skip = max(0, skip - len(block))


def _place(url: str, answer: Answer) -> tuple[int, int]:
    """Where the bytes begin, and how many the whole file has (0: not said)."""
    if answer.status != HTTPStatus.PARTIAL_CONTENT:
        return 0, _number(answer.headers.get("content-length", ""))
    found = _RANGE.fullmatch(answer.headers.get("content-range", "").strip())
    if found is None:
        raise HubForeign(host=urlsplit(url).hostname, detail="it does not say which part it sent")
    return int(found[1]), _number(found[2])


def _number(text: str) -> int:
    return int(text) if _NUMBER.fullmatch(text) else 0
