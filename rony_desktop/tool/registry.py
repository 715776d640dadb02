"""The tools there are."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence

from rony_desktop.contract.error import ToolRegistryError
from rony_desktop.contract.tool import Permission, ToolsChange, ToolSchema
from rony_desktop.contract.tool_spec import PermissionPolicy, ToolSpec
from rony_desktop.tool.schema import fault

# What every provider takes as the name of a function.
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
# Who is named as the caller where what is there already is told to a new observer.
REPLAY = "tools:init"
REGISTER = "register"


class ToolRegistry:
    """Tools by name, sorted; it is San's Tools. Safe from several threads.

    The observer is called after the change and outside the lock, so that it may ask back.
    """

    def __init__(self) -> None:
        self._tools: dict[str, ToolSpec] = {}
        self._observer: Callable[[ToolsChange], None] | None = None
        self._lock = threading.RLock()

    def register(self, tool: ToolSpec) -> None:
        """Add a new tool.

        Raises:
            ToolRegistryError: Its name is taken or not portable, or its schema is none.
        """
        _check(tool)
        with self._lock:
            if tool.name in self._tools:
                raise ToolRegistryError(name=tool.name, detail="its name is taken")
            self._tools[tool.name] = tool
        self._tell(ToolsChange(tool.name, True, REGISTER))

    def add(self, tool: ToolSpec, caller: str) -> None:
        """Add a tool, in the place of one of the same name. Raises ToolRegistryError."""
        _check(tool)
        with self._lock:
            self._tools[tool.name] = tool
        self._tell(ToolsChange(tool.name, True, caller))

    def remove(self, name: str, caller: str) -> None:
        """Remove a tool; one that is not there is silent."""
        with self._lock:
            removed = self._tools.pop(name, None)
        if removed:
            self._tell(ToolsChange(name, False, caller))

    def get(self, name: str) -> ToolSpec | None:
        """The tool of a name."""
        return self._tools.get(name)

    def all(self) -> tuple[ToolSpec, ...]:
        """Every tool, by name: the order in which a model sees them never changes by itself."""
        with self._lock:
            return tuple(self._tools[name] for name in sorted(self._tools))

    def list(self) -> Sequence[ToolSpec]:
        """Every tool, by name."""
        return self.all()

    def filter(self, policy: PermissionPolicy) -> tuple[ToolSpec, ...]:
        """Tools that are not denied, by name."""
        return tuple(t for t in self.all() if policy.permission(t) is not Permission.DENY)

    def schemas(self) -> tuple[ToolSchema, ...]:
        """What a model sees of every tool, by name."""
        return tuple(tool.schema() for tool in self.all())

    def set_observer(self, observer: Callable[[ToolsChange], None]) -> None:
        """Attach the observer and replay what is there."""
        with self._lock:
            self._observer = observer
            there = self.all()
        for tool in there:
            observer(ToolsChange(tool.name, True, REPLAY))

    def _tell(self, change: ToolsChange) -> None:
        observer = self._observer
        if observer:
            observer(change)


def _check(tool: ToolSpec) -> None:
    if not _NAME.fullmatch(tool.name):
        detail = "a name has 1 to 64 of the letters A-Z, a-z, 0-9, _ and -"
        raise ToolRegistryError(name=tool.name, detail=detail)
    detail = fault(tool.parameters)
    if detail:
        raise ToolRegistryError(name=tool.name, detail=detail)
