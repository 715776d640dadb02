"""A ResultStore in memory, held to the same suite as the one on disk."""

from __future__ import annotations

import json
from itertools import count

from rony_desktop.contract.error import ResultMissing, RonyError
from rony_desktop.contract.message import ToolCall


class FakeResultStore:
    """Keeps texts by id: "r1", "r2" and so on. failure, where set, is raised by the next put."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}
        self.failure: RonyError | None = None
        self._numbers = count(1)

    async def put(self, call: ToolCall, content: str) -> str:
        if self.failure:
            failure, self.failure = self.failure, None
            raise failure
        id = f"r{next(self._numbers)}"
        self.kept[id] = content
        return json.dumps({"ref": id, "tool": call.name, "bytes": len(content.encode())})

    async def load(self, id: str) -> str:
        if id not in self.kept:
            raise ResultMissing(id=id)
        return self.kept[id]

    async def delete(self, id: str) -> None:
        self.kept.pop(id, None)
