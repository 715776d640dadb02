from __future__ import annotations

import pytest

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
from rony_desktop.model.access import Access, Site
from tests.fake.web import FakeAnswer, FakeWeb

SITE = Site("https://hub.test", token="t1")
PAGE = "https://hub.test/maker/m/resolve/main/m.gguf"


def asked_with(url: str, pages: dict[str, FakeAnswer]) -> dict[str, str]:
    """Who was asked with which token."""
    web = FakeWeb(pages)
    with Access(web, SITE).opened(url, Halt()):
        return {url: headers.get("Authorization", "") for url, headers in web.asked}


@pytest.mark.parametrize(
    "other",
    [
        "https://cdn.test/",
        "https://hub.test:444/",
        "https://hub.test.evil.test/",
        "https://hub.test@evil.test/",
    ],
)
def test_only_the_hub_itself_sees_the_token(other: str) -> None:
    moved = FakeAnswer(302, {"location": other})
    assert asked_with(PAGE, {PAGE: moved, other: FakeAnswer()}) == {PAGE: "Bearer t1", other: ""}


def test_a_redirect_on_the_hub_keeps_the_token() -> None:
    pages = {PAGE: FakeAnswer(307, {"location": "/new/m"}), "https://hub.test/new/m": FakeAnswer()}
    assert set(asked_with(PAGE, pages).values()) == {"Bearer t1"}


def test_what_the_hub_says_of_a_file_outranks_the_last_host() -> None:
    moved = FakeAnswer(302, {"location": "https://cdn.test/x", "x-linked-etag": '"sha"'})
    web = FakeWeb({PAGE: moved, "https://cdn.test": FakeAnswer(200, {"etag": "other"})})
    with Access(web, SITE).opened(PAGE, Halt()) as (_, headers):
        assert headers["x-linked-etag"] == '"sha"'


@pytest.mark.parametrize(
    "location",
    [
        "http://hub.test/plain",
        "",
        "ftp://hub.test/x",
        "https://[::1",
        "https://hub.test:99999999/x",
        "https://hub\u2100.test/",
    ],
)
def test_a_redirect_never_leaves_tls(location: str) -> None:
    web = FakeWeb({PAGE: FakeAnswer(302, {"location": location})})
    with pytest.raises(HubForeign), Access(web, SITE).opened(PAGE, Halt()):
        pass


def test_redirects_have_an_end() -> None:
    web = FakeWeb({PAGE: FakeAnswer(302, {"location": PAGE})})
    with pytest.raises(HubForeign, match="without end"), Access(web, SITE).opened(PAGE, Halt()):
        pass


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (FakeAnswer(401), HubUnauthorised),
        (FakeAnswer(401, {"x-error-code": "GatedRepo"}), HubGated),
        (FakeAnswer(403), HubGated),
        (FakeAnswer(403, {"x-error-code": "Other"}), HubUnauthorised),
        (FakeAnswer(404), HubMissing),
        (FakeAnswer(410), HubMissing),
        (FakeAnswer(416), UpstreamChanged),
        (FakeAnswer(429, {"retry-after": "17"}), HubBusy),
        (FakeAnswer(429, {"retry-after": "9" * 5000}), HubBusy),
        (FakeAnswer(429, {"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}), HubBusy),
        (FakeAnswer(500), HubDown),
        (FakeAnswer(400), HubError),
        (FakeAnswer(200, {"content-type": "Text/HTML; charset=utf-8"}), HubForeign),
    ],
)
def test_refusals_have_a_type(answer: FakeAnswer, kind: type[RonyError]) -> None:
    with pytest.raises(kind) as caught, Access(FakeWeb({PAGE: answer}), SITE).opened(PAGE, Halt()):
        pass
    assert type(caught.value) is kind
    if kind is HubGated:
        assert caught.value.params["page"] == "https://hub.test/maker/m"
    if answer.headers.get("retry-after") == "17":
        assert caught.value.params["seconds"] == "17"


def test_what_another_host_forbids_is_worth_trying_again() -> None:
    moved = FakeAnswer(302, {"location": "https://cdn.test/x"})
    web = FakeWeb({PAGE: moved, "https://cdn.test": FakeAnswer(403)})
    with pytest.raises(HubDown), Access(web, SITE).opened(PAGE, Halt()):
        pass


@pytest.mark.parametrize("body", [b"", b"{", b"[" * 100_000, b"\xff"])
def test_what_is_no_json_is_refused(body: bytes) -> None:
    with pytest.raises(HubForeign):
        Access(FakeWeb({"": FakeAnswer(200, {}, body)}), SITE).ask("/api/models", Halt())


def test_the_token_is_not_shown() -> None:
    assert "t1" not in repr(SITE)
