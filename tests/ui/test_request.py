"""A request is an object on a line; anything else gets no answer."""

from __future__ import annotations

import pytest

from rony_desktop.ui.request import answered, to_line

pytestmark = pytest.mark.ui


def test_an_object_is_answered_with_an_object() -> None:
    assert answered(to_line({"want": "show"}), lambda asked: {"got": asked["want"]}) == (
        b'{"got": "show"}\n'
    )


@pytest.mark.parametrize("line", [b"", b"\n", b"nonsense", b"[1]", b"\xff\xfe", b"7", b"null"])
def test_anything_else_is_not(line: bytes) -> None:
    assert answered(line, lambda _: {"ok": True}) == b""
