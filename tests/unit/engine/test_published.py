"""A list of releases is read for what it says, whatever else stands in it."""

from __future__ import annotations

import json

import pytest

from rony_desktop.contract.build import Archive
from rony_desktop.contract.error import InstallError
from rony_desktop.contract.halt import Halt
from rony_desktop.engine.published import Site, newest_builds, pinned_builds, published_build
from tests.fake.release import FakeAnswer, FakeWeb

SITE = Site.of("https://mirror/releases/ ")
HASH = "ab" * 32
GOOD = {
    "name": "a.zip",
    "size": 5,
    "digest": f"sha256:{HASH}",
    "browser_download_url": "https://mirror/a.zip",
}
EXPECTED = Archive("a.zip", "https://mirror/a.zip", HASH, 5)


def web(path: str, content: object) -> FakeWeb:
    return FakeWeb({f"https://mirror/releases{path}": FakeAnswer(json.dumps(content).encode())})


def test_addresses() -> None:
    assert Site.of("") == Site()
    assert Site().list_url.startswith("https://api.github.com/repos/ggml-org/llama.cpp/")
    assert Site("https://mirror/releases", "https://mirror/releases/download") == SITE


def test_one_build() -> None:
    content = {"tag_name": "b12", "assets": [GOOD]}
    assert published_build(web("/tags/b12", content), SITE, 12, Halt()) == {12: (EXPECTED,)}
    with pytest.raises(InstallError, match="nothing at"):
        published_build(FakeWeb(), SITE, 12, Halt())


@pytest.mark.parametrize(
    "asset",
    [
        {**GOOD, "digest": None},
        {**GOOD, "digest": "md5:00"},
        {**GOOD, "digest": f"sha256:{HASH}0"},
        {**GOOD, "browser_download_url": "file:///etc/passwd"},
        {key: value for key, value in GOOD.items() if key != "browser_download_url"},
        None,
        5,
    ],
)
def test_an_archive_without_a_hash_or_an_address_is_left_out(asset: object) -> None:
    content = [{"tag_name": "b12", "assets": [asset, GOOD]}]
    found = newest_builds(web("?per_page=10", content), SITE, Halt())
    assert found == {12: (EXPECTED,)}


@pytest.mark.parametrize("size", [None, "5", -1, 0])
def test_a_size_that_is_none_is_not_known(size: object) -> None:
    content = [{"tag_name": "b12", "assets": [{**GOOD, "size": size}]}]
    ((archive,),) = newest_builds(web("?per_page=10", content), SITE, Halt()).values()
    assert archive.size_bytes == 0


def test_releases_that_are_no_builds() -> None:
    content = [
        {"tag_name": "v1.0.0", "assets": [GOOD]},
        {"tag_name": "b13", "assets": []},
        {"tag_name": "b14", "assets": 5},
        {"assets": [GOOD]},
        7,
        {"tag_name": "b11", "assets": [GOOD]},
    ]
    assert set(newest_builds(web("?per_page=10", content), SITE, Halt())) == {11}


def test_what_is_no_list() -> None:
    with pytest.raises(InstallError, match="not a list"):
        newest_builds(web("?per_page=10", {"message": "no"}), SITE, Halt())


def test_pins_become_archives_of_the_site() -> None:
    found = pinned_builds(SITE, {12: {"a.zip": HASH}})
    assert found == {12: (Archive("a.zip", "https://mirror/releases/download/b12/a.zip", HASH),)}
