"""Builds of the engine: what is published for a computer, and what is installed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class Variant(StrEnum):
    """What a build computes on."""

    CUDA = "cuda"
    VULKAN = "vulkan"
    ROCM = "rocm"
    METAL = "metal"
    CPU = "cpu"


class Source(StrEnum):
    """Where an engine comes from, in the order in which they are tried."""

    CONFIGURED = "configured"
    INSTALLED = "installed"
    BUNDLE = "bundle"
    PATH = "path"
    WHEEL = "wheel"
    HOST = "host"


@dataclass(frozen=True, slots=True)
class Host:
    """What decides which builds run here.

    system and machine are platform's words, libc its pair of name and version; makers are those
    of the graphics cards (nvidia, amd, intel, apple, "" where not known).
    """

    system: str
    machine: str
    libc: tuple[str, str] = ("", "")
    makers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Archive:
    """A file of a release; size_bytes is 0 where it is not known."""

    name: str
    url: str
    sha256: str
    size_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Release:
    """A build that can be installed here, in one archive or more.

    pinned: its hashes came with this program; else they are what the list of releases says.
    """

    build: int
    variant: Variant
    archives: tuple[Archive, ...]
    pinned: bool

    @property
    def id(self) -> str:
        """What it is called: as b9860-vulkan."""
        return f"b{self.build}-{self.variant}"

    @property
    def size_bytes(self) -> int:
        """What is downloaded, 0 where that is not known."""
        sizes = [archive.size_bytes for archive in self.archives]
        return sum(sizes) if all(sizes) else 0


@dataclass(frozen=True, slots=True)
class Build:
    """An installed build: it passed its trial on this computer. program is its llama-server."""

    build: int
    variant: Variant
    program: Path
    pinned: bool

    @property
    def id(self) -> str:
        """What it is called: as b9860-vulkan."""
        return f"b{self.build}-{self.variant}"
