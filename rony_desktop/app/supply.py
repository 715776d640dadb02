"""Where builds of the engine come from, and which computer they are for."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources

from pydantic import TypeAdapter

from rony_desktop.app.web import HttpWeb
from rony_desktop.contract.build import Host, Release
from rony_desktop.contract.halt import Halt
from rony_desktop.contract.port import Web
from rony_desktop.engine.published import Site, newest_builds, pinned_builds, published_build
from rony_desktop.engine.release import offers
from rony_desktop.model.gpu import vendor_of
from rony_desktop.model.hardware import HardwareProbe
from rony_desktop.store.config_source import parse

Pins = Mapping[int, Mapping[str, str]]
"""By a build's number the names of its archives, and the hash of each."""
_PINS = TypeAdapter(dict[int, dict[str, str]])


def this_host() -> Host:
    """This computer. Blocking."""
    gpus = HardwareProbe().detect().gpus
    makers = frozenset(vendor_of(gpu.name) for gpu in gpus)
    return Host(platform.system(), platform.machine(), platform.libc_ver(), makers)


def load_pins() -> Pins:
    """The hashes that come with the program. Blocking."""
    text = (resources.files("resources") / "engine.yaml").read_text("utf-8")
    return _PINS.validate_python(parse(text, "engine.yaml"))


@dataclass(frozen=True, slots=True)
class Supply:
    """Builds for one computer: those with hashes of ours, and those the site lists."""

    site: Site
    web: Web
    host: Callable[[], Host] = this_host
    pins: Callable[[], Pins] = load_pins

    @classmethod
    def of(cls, url: str) -> Supply:
        """What the releases at an address offer this computer, "" for llama.cpp's own."""
        return cls(Site.of(url), HttpWeb())

    def pinned(self) -> tuple[Release, ...]:
        """Builds that fit this computer; nobody is asked for them. Blocking."""
        return offers(self.host(), pinned_builds(self.site, self.pins()), pinned=True)

    def newest(self, halt: Halt) -> tuple[Release, ...]:
        """Builds the site published last. Blocking. Raises HubError, InstallError; Halted."""
        return offers(self.host(), newest_builds(self.web, self.site, halt), pinned=False)

    def published(self, build: int, halt: Halt) -> tuple[Release, ...]:
        """The variants of one build of the site. Blocking. Raises HubError, InstallError; Halted.

        Their hashes come from the same site as they, so they prove only that all came.
        """
        found = published_build(self.web, self.site, build, halt)
        return offers(self.host(), found, pinned=False)
