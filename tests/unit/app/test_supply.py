"""What there is for a computer: builds with hashes of ours, and what a site lists."""

from __future__ import annotations

import json

import pytest

from rony_desktop.app.supply import Supply, load_pins, this_host
from rony_desktop.contract.build import Host, Variant
from rony_desktop.contract.halt import Halt
from rony_desktop.engine.published import Site
from rony_desktop.engine.release import FLOOR_BUILD
from tests.fake.release import FakeAnswer, FakeWeb

HASH = "ab" * 32
NVIDIA = Host("Windows", "AMD64", makers=frozenset({"nvidia"}))


@pytest.mark.parametrize(
    ("host", "variants"),
    [
        (Host("Linux", "x86_64", ("glibc", "2.39"), frozenset({"amd"})), ["vulkan", "cpu"]),
        (Host("Linux", "aarch64", ("glibc", "2.39")), ["cpu"]),
        (Host("Darwin", "arm64"), ["metal"]),
        (Host("Darwin", "x86_64"), ["cpu"]),
        (NVIDIA, ["cuda", "vulkan", "cpu"]),
    ],
)
def test_the_pins_that_come_with_the_program(host: Host, variants: list[str]) -> None:
    found = Supply(Site(), FakeWeb(), host=lambda: host).pinned()
    assert [each.variant.value for each in found] == variants
    for release in found:
        assert release.pinned
        assert release.build >= FLOOR_BUILD
        for archive in release.archives:
            assert archive.url == f"{Site().download_url}/b{release.build}/{archive.name}"


def test_every_pin_is_a_hash() -> None:
    for archives in load_pins().values():
        for sha256 in archives.values():
            assert len(bytes.fromhex(sha256)) == 32
        assert len(set(archives.values())) == len(archives)


def test_this_computer_is_one() -> None:
    host = this_host()
    assert host.system
    assert host.machine


def test_what_a_site_lists_is_not_pinned() -> None:
    asset = {
        "name": "llama-b9999-bin-macos-arm64.tar.gz",
        "digest": f"sha256:{HASH}",
        "browser_download_url": "https://m/x",
    }
    release = {"tag_name": "b9999", "assets": [asset]}
    web = FakeWeb(
        {
            "https://m/tags/b9999": FakeAnswer(json.dumps(release).encode()),
            "https://m?per_page=10": FakeAnswer(json.dumps([release]).encode()),
        }
    )
    supply = Supply(Site.of("https://m"), web, lambda: Host("Darwin", "arm64"), dict)
    assert supply.pinned() == ()
    for found in (supply.published(9999, Halt()), supply.newest(Halt())):
        assert [(each.variant, each.pinned) for each in found] == [(Variant.METAL, False)]
