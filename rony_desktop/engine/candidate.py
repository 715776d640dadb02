"""A program that may serve as the engine, and what is known of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rony_desktop.contract.build import Source

Wrap = Callable[[list[str]], list[str]]
"""Turns the engine's argv into the one that is run: the isolation chosen by app."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A llama-server, or the host that stands in for one.

    file identifies the build on disk; env is added to the child's environment; flags are the option
    names of its --help, empty until it was test-run.
    """

    source: Source
    argv: tuple[str, ...]
    file: Path
    label: str
    build: str = "unknown"
    env: Mapping[str, str] = field(default_factory=dict)
    flags: frozenset[str] = frozenset()
