"""Which redirects are followed: a few, and none from TLS to plain text."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

LIMIT = 5
_STATUSES = frozenset({301, 302, 303, 307, 308})
_SCHEMES = {"https": ("https",), "http": ("https", "http")}


def is_redirect(status: int) -> bool:
    """Whether an answer only says where to ask instead."""
    return status in _STATUSES


def redirected(url: str, location: str) -> str:
    """Where a redirect of an address leads; "" where it must not be followed."""
    try:
        target = urljoin(url, location)
        parts = urlsplit(target)
        safe = parts.port != 0 and parts.scheme in _SCHEMES.get(urlsplit(url).scheme, ())
    except ValueError:
        return ""
    return target if location and safe else ""
