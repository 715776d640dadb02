"""A redirect leads on, never from TLS to plain text, and never away from the web."""

from __future__ import annotations

import pytest

from rony_desktop.contract.redirect import is_redirect, redirected


@pytest.mark.parametrize(
    ("url", "location", "target"),
    [
        ("https://a.test/x/y", "/z", "https://a.test/z"),
        ("https://a.test/x/y", "z?q=1", "https://a.test/x/z?q=1"),
        ("https://a.test/x", "https://b.test/z", "https://b.test/z"),
        ("https://a.test/x", "//b.test/z", "https://b.test/z"),
        ("http://a.test/x", "http://b.test/z", "http://b.test/z"),
        ("http://a.test/x", "https://a.test/x", "https://a.test/x"),
        ("https://a.test/x", "http://a.test/x", ""),
        ("https://a.test/x", "HTTP://a.test/x", ""),
        ("https://a.test/x", "ftp://a.test/x", ""),
        ("http://a.test/x", "file:///etc/passwd", ""),
        ("https://a.test/x", "https://[::1", ""),
        ("https://a.test/x", "https://b.test:0/x", ""),
        ("https://a.test/x", "https://b.test:65536/x", ""),
        ("https://a.test/x", "", ""),
    ],
)
def test_where_a_redirect_leads(url: str, location: str, target: str) -> None:
    assert redirected(url, location) == target


def test_what_is_a_redirect() -> None:
    assert [each for each in range(100, 600) if is_redirect(each)] == [301, 302, 303, 307, 308]
