"""A RecordStore in memory, held to the same suite as the one on disk."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from rony_desktop.contract.error import RonyError


class FakeRecordStore:
    """Keeps records by kind and key. failure, where set, is raised by the next put or delete."""

    def __init__(self) -> None:
        self.kept: defaultdict[str, dict[str, dict[str, Any]]] = defaultdict(dict)
        self.failure: RonyError | None = None

    async def get(self, kind: str, key: str) -> Mapping[str, Any] | None:
        return self.kept[kind].get(key)

    async def put(self, kind: str, key: str, record: Mapping[str, Any]) -> None:
        self._fail()
        self.kept[kind][key] = dict(record)

    async def list(self, kind: str) -> dict[str, Mapping[str, Any]]:
        return dict(self.kept[kind])

    async def delete(self, kind: str, key: str) -> None:
        self._fail()
        self.kept[kind].pop(key, None)

    def _fail(self) -> None:
        if self.failure:
            failure, self.failure = self.failure, None
            raise failure
