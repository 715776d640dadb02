"""What a list of releases says: builds with their archives, and the hash of each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rony_desktop.contract.build import Archive
from rony_desktop.contract.error import InstallError
from rony_desktop.contract.halt import Halt
from rony_desktop.contract.port import Web
from rony_desktop.engine.fetch import ask

LISTED = 10
_TAG = re.compile(r"b(\d{1,9})")
_DIGEST = re.compile(r"sha256:([0-9a-f]{64})")

Builds = Mapping[int, tuple[Archive, ...]]
"""Archives by the number of their build."""


@dataclass(frozen=True, slots=True)
class Site:
    """Addresses of a list of releases and of what it lists, without a slash at the end."""

    list_url: str = "https://api.github.com/repos/ggml-org/llama.cpp/releases"
    download_url: str = "https://github.com/ggml-org/llama.cpp/releases/download"

    @classmethod
    def of(cls, url: str) -> Site:
        """The site at an address, llama.cpp's own where there is none."""
        url = url.strip().rstrip("/")
        return cls(url, f"{url}/download") if url else cls()


def pinned_builds(site: Site, pins: Mapping[int, Mapping[str, str]]) -> Builds:
    """Builds of which every hash is known: by number the archives' names and hashes."""
    return {
        build: tuple(
            Archive(name, f"{site.download_url}/b{build}/{name}", sha256)
            for name, sha256 in archives.items()
        )
        for build, archives in pins.items()
    }


def published_build(web: Web, site: Site, build: int, halt: Halt) -> Builds:
    """One build by its number. Blocking. Raises HubError, InstallError; Halted."""
    return dict(_builds([ask(web, f"{site.list_url}/tags/b{build}", halt)]))


def newest_builds(web: Web, site: Site, halt: Halt) -> Builds:
    """The builds that were published last. Blocking. Raises HubError, InstallError; Halted."""
    found = ask(web, f"{site.list_url}?per_page={LISTED}", halt)
    if not isinstance(found, list):
        raise InstallError(name=site.list_url, detail="its answer is not a list")
    return dict(_builds(found))


def _builds(releases: list[Any]) -> Iterator[tuple[int, tuple[Archive, ...]]]:
    """Releases that are builds and have archives; some are neither."""
    for release in releases:
        found = _TAG.fullmatch(str(release.get("tag_name"))) if isinstance(release, dict) else None
        assets = release.get("assets") if found else None
        archives = tuple(_archives(assets if isinstance(assets, list) else []))
        if found and archives:
            yield int(found[1]), archives


def _archives(assets: list[Any]) -> Iterator[Archive]:
    """Archives whose hash is told; one without is not to be trusted."""
    for asset in assets:
        if not isinstance(asset, dict):
            continue
        digest = _DIGEST.fullmatch(str(asset.get("digest")))
        url, size = str(asset.get("browser_download_url")), asset.get("size")
        if digest and url.startswith(("https://", "http://")):
            known = size if isinstance(size, int) and size > 0 else 0
            yield Archive(str(asset.get("name")), url, digest[1], known)
