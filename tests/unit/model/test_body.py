from __future__ import annotations

import pytest

from rony_desktop.contract.error import HubForeign
from rony_desktop.contract.halt import Halt
from rony_desktop.contract.hub import Body
from rony_desktop.model.access import Access, Site
from rony_desktop.model.body import read_body, rest_of
from tests.fake.web import FakeAnswer, FakeWeb


def read(status: int, **headers: str) -> tuple[int, int, str]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    web = FakeWeb({"": FakeAnswer(status, named, b"x")})
    with read_body(Access(web, Site("http://hub.test")), "http://hub.test/f", Halt(), {}) as body:
        return body.start, body.size_bytes, body.etag


def test_the_headers_say_what_comes() -> None:
    assert read(200, content_length="10", etag='W/"v1"') == (0, 10, "v1")
    assert read(206, content_range="bytes 4-9/10", etag='"v1"') == (4, 10, "v1")
    assert read(206, content_range="bytes 4-9/*") == (4, 0, "")
    assert read(200, content_length="9" * 5000) == (0, 0, "")
    assert read(200, etag='"cdn"', x_linked_etag='"hub"') == (0, 0, "hub")


@pytest.mark.parametrize("text", ["", "bytes */10", "4-9/10", f"bytes {'9' * 5000}-1/2"])
def test_a_part_that_says_nothing_is_refused(text: str) -> None:
    with pytest.raises(HubForeign):
        read(206, content_range=text)


@pytest.mark.parametrize("offset", range(7))
def test_what_came_before_the_point_is_passed_over(offset: int) -> None:
    body = Body(0, 6, "", iter([b"ab", b"cd", b"ef"]))
    assert b"".join(rest_of(body, offset)) == b"abcdef"[offset:]
