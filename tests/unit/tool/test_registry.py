from __future__ import annotations

import threading
from typing import Any

import pytest

from rony_desktop.contract.agent import Tools
from rony_desktop.contract.error import ToolRegistryError
from rony_desktop.contract.message import ToolResult
from rony_desktop.contract.tool import Permission, ToolsChange
from rony_desktop.contract.tool_spec import ToolSpec
from rony_desktop.tool.policy import ConfigPolicy
from rony_desktop.tool.registry import ToolRegistry


async def nothing(*_: object) -> ToolResult:
    return ToolResult("")


def tool(name: str, **parameters: Any) -> ToolSpec:
    return ToolSpec(name, f"about {name}", {"type": "object", **parameters}, nothing)


def test_it_is_sans_tools_sorted_by_name() -> None:
    registry = ToolRegistry()
    tools: Tools = registry
    for name in ("b", "c", "a"):
        registry.register(tool(name))
    assert [t.name for t in tools.all()] == ["a", "b", "c"] == [t.name for t in registry.list()]
    assert [s.name for s in tools.schemas()] == ["a", "b", "c"]
    found = tools.get("b")
    assert found
    assert found.description == "about b"
    assert tools.get("z") is None


@pytest.mark.parametrize("name", ["", "a b", "a.b", "ä", "a" * 65, "a\n", "a/b"])
def test_names_that_providers_refuse_are_refused(name: str) -> None:
    with pytest.raises(ToolRegistryError):
        ToolRegistry().register(tool(name))
    with pytest.raises(ToolRegistryError):
        ToolRegistry().add(tool(name), "test")


@pytest.mark.parametrize("name", ["a", "A-b_9", "a" * 64])
def test_portable_names_are_taken(name: str) -> None:
    registry = ToolRegistry()
    registry.register(tool(name))
    assert registry.get(name)


def test_a_taken_name_is_refused_by_register_and_replaced_by_add() -> None:
    registry = ToolRegistry()
    first, second = tool("a"), tool("a")
    registry.register(first)
    with pytest.raises(ToolRegistryError, match="taken"):
        registry.register(second)
    assert registry.get("a") is first
    registry.add(second, "test")
    assert registry.get("a") is second
    assert len(registry.all()) == 1


def test_parameters_that_are_no_schema_are_refused() -> None:
    with pytest.raises(ToolRegistryError, match="no JSON Schema"):
        ToolRegistry().register(tool("a", properties={"x": {"type": "wrong"}}))


def test_filter_leaves_out_what_is_denied() -> None:
    registry = ToolRegistry()
    for name in ("a", "b", "c"):
        registry.register(tool(name))
    kept = registry.filter(ConfigPolicy({"b": Permission.DENY, "c": Permission.ALLOW}))
    assert [t.name for t in kept] == ["a", "c"]


def test_the_observer_is_told_what_is_there_and_what_changes() -> None:
    registry = ToolRegistry()
    registry.register(tool("b"))
    registry.add(tool("a"), "x")
    seen: list[ToolsChange] = []
    registry.set_observer(seen.append)
    assert seen == [ToolsChange("a", True, "tools:init"), ToolsChange("b", True, "tools:init")]
    seen.clear()
    registry.register(tool("c"))
    registry.add(tool("a"), "mcp")
    registry.remove("b", "user")
    registry.remove("b", "user")
    assert seen == [
        ToolsChange("c", True, "register"),
        ToolsChange("a", True, "mcp"),
        ToolsChange("b", False, "user"),
    ]


def test_the_observer_is_called_after_the_change_and_outside_the_lock() -> None:
    registry = ToolRegistry()
    seen: list[int] = []

    def observer(change: ToolsChange) -> None:
        # Another thread gets in while the observer runs.
        other = threading.Thread(target=lambda: seen.append(len(registry.all())))
        other.start()
        other.join(5)
        assert not other.is_alive()

    registry.set_observer(observer)
    registry.register(tool("a"))
    registry.remove("a", "x")
    assert seen == [1, 0]


def test_threads_may_change_it_at_once() -> None:
    registry = ToolRegistry()

    def work(letter: str) -> None:
        for i in range(50):
            registry.add(tool(f"{letter}{i}"), letter)
            registry.schemas()
            if i % 2:
                registry.remove(f"{letter}{i}", letter)

    threads = [threading.Thread(target=work, args=(letter,)) for letter in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(registry.all()) == 100
