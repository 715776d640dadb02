"""What most services of a program stand on."""

from __future__ import annotations

from dataclasses import dataclass

from rony_desktop.app.engine import Engines
from rony_desktop.app.feed import Feed
from rony_desktop.app.model import Models
from rony_desktop.contract.config import Config
from rony_desktop.contract.port import MetadataReader
from rony_desktop.store.place import Place
from rony_desktop.store.record import FileRecordStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """Made by the factory, once for a program; reader remembers the headers it has read."""

    config: Config
    place: Place
    models: Models
    records: FileRecordStore
    feed: Feed
    reader: MetadataReader
    engines: Engines
