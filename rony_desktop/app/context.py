"""What a running program consists of; shells and embedders take from here what they need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rony_desktop.app.approval import Approvals
from rony_desktop.app.base import Base
from rony_desktop.app.bench import BenchService
from rony_desktop.app.chat import ChatService
from rony_desktop.app.examine import ModelCheckService
from rony_desktop.app.feed import Feed
from rony_desktop.app.folder import FolderService
from rony_desktop.app.grant import GrantService
from rony_desktop.app.launch import LaunchService
from rony_desktop.app.model import Models
from rony_desktop.app.runtime import Runtime
from rony_desktop.app.stock import Stock
from rony_desktop.app.workspace import Workspaces
from rony_desktop.contract.agent import Loop
from rony_desktop.contract.config import Config
from rony_desktop.contract.error import Failure
from rony_desktop.engine.fleet import Fleet
from rony_desktop.store.artifact import FileArtifactStore
from rony_desktop.store.config import YamlConfigLoader
from rony_desktop.store.place import Place
from rony_desktop.store.record import FileRecordStore
from rony_desktop.store.session import FileSessionStore


@dataclass(frozen=True, slots=True)
class AppContext:
    """The parts, made by app/factory.py, started and stopped by app/lifecycle.py.

    notices are what the configuration had to say; sources tell where each value comes from.
    """

    base: Base
    notices: tuple[Failure, ...]
    sources: Mapping[str, str]
    settings: YamlConfigLoader
    store: FileSessionStore
    artifacts: FileArtifactStore
    benches: BenchService
    stock: Stock
    checks: ModelCheckService
    loop: Loop
    chat: ChatService
    workspaces: Workspaces
    folders: FolderService
    approvals: Approvals
    grants: GrantService

    @property
    def place(self) -> Place:
        """Where everything is kept."""
        return self.base.place

    @property
    def config(self) -> Config:
        """Every setting."""
        return self.base.config

    @property
    def feed(self) -> Feed:
        """What tells that something happened."""
        return self.base.feed

    @property
    def records(self) -> FileRecordStore:
        """Small records on disk."""
        return self.base.records

    @property
    def models(self) -> Models:
        """Models of this computer."""
        return self.base.models

    @property
    def runtime(self) -> Runtime:
        """The model in use."""
        return self.benches.runtime

    @property
    def fleet(self) -> Fleet:
        """Every engine of the program."""
        return self.benches.fleet

    @property
    def launches(self) -> LaunchService:
        """What plans launches."""
        return self.benches.launches
