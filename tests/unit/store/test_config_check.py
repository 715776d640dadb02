from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.contract.error import ConfigValue
from rony_desktop.store.config_check import check, is_known, known_keys, split_key
from rony_desktop.store.config_source import Source


def test_the_keys_of_every_setting_are_known() -> None:
    keys = set(known_keys())
    assert {("model",), ("llama", "models", "main", "port"), ("tools", "permissions")} <= keys
    assert ("llama",) not in keys


def test_the_name_of_a_tool_keeps_its_dots() -> None:
    assert split_key("tools.permissions.mcp.read") == ("tools", "permissions", "mcp.read")
    assert split_key("app.max_steps") == ("app", "max_steps")
    assert split_key("model") == ("model",)
    assert split_key("agents.assistant.tools") == ("agents", "assistant", "tools")
    assert split_key("agents.assistant") == ("agents", "assistant")


@pytest.mark.parametrize(
    ("key", "known"),
    [
        ("model", True),
        ("llama.models.main.port", True),
        ("tools.permissions", True),
        ("tools.permissions.mcp.read", True),
        ("agents", True),
        ("agents.assistant", True),
        ("agents.assistant.tools", True),
        ("agents.assistant.tool", False),
        ("agents.assistant.tools.x", False),
        ("app", False),
        ("app.max_steps.x", False),
        ("nothing", False),
    ],
)
def test_a_key_is_known_or_not(key: str, known: bool) -> None:
    assert is_known(split_key(key)) is known


def errors(tmp_path: Path, values: dict[str, object]) -> dict[str, str]:
    found = check(Source("f", tmp_path, values))
    return {e.params["key"]: e.params["expected"] for e in found if isinstance(e, ConfigValue)}


def test_agents_are_checked_value_by_value(tmp_path: Path) -> None:
    agents = {
        "assistant": {"tools": ["read_file"]},
        "a.b": {"tools": []},
        "later": None,
        "wrong": {"tools": 5, "tool": ["x"]},
        "word": "read_file",
    }
    found = list(check(Source("f", tmp_path, {"agents": agents})))
    assert [f for f in found if isinstance(f, tuple)] == [
        (("agents", "assistant", "tools"), ("read_file",)),
        (("agents", "a.b", "tools"), ()),
    ]
    assert errors(tmp_path, {"agents": agents}) == {
        "agents.wrong.tools": "a list",
        "agents.wrong.tool": "one of: tools",
        "agents.word": "keys: tools",
    }
    assert errors(tmp_path, {"agents": ["assistant"]}) == {"agents": "names with keys"}
    assert errors(tmp_path, {"agents": {"a": {"tools": ["x", 5]}}}) == {
        "agents.a.tools": "a valid string"
    }


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"model": True}, "a valid string"),
        ({"app": {"max_steps": False}}, "a valid integer"),
        ({"workspace": True}, "a valid path"),
        ({"agents": {"a": {"tools": True}}}, "a list"),
    ],
)
def test_no_setting_is_a_switch(tmp_path: Path, values: dict[str, object], expected: str) -> None:
    assert list(errors(tmp_path, values).values()) == [expected]


def test_each_value_comes_typed_or_as_an_error(tmp_path: Path) -> None:
    values = {"sandbox": {"workspace": "w"}, "app": {"max_steps": "7", "history_limit": 1}, "x": 1}
    found = list(check(Source("f", tmp_path, values)))
    assert found[:2] == [
        (("sandbox", "workspace"), tmp_path / "w"),
        (("app", "max_steps"), 7),
    ]
    assert [error.params["key"] for error in found[2:] if isinstance(error, ConfigValue)] == [
        "app.history_limit",
        "x",
    ]
    (wrong,) = check(Source("f", tmp_path, {"sandbox": {"workspace": "a\0b"}}))
    assert isinstance(wrong, ConfigValue)
    assert wrong.params["expected"] == "a path"


def test_groups_and_lists_are_not_shown_in_full(tmp_path: Path) -> None:
    found = check(Source("f", tmp_path, {"model": {"a": "x"}, "persona": ["x"]}))
    shown = [error.params["value"] for error in found if isinstance(error, ConfigValue)]
    assert shown == ["a group of keys", "a list"]


def test_every_path_in_a_list_starts_from_the_settings_folder(tmp_path: Path) -> None:
    dirs = ["models", "/mnt/drive", "~/m"]
    found = list(check(Source("f", tmp_path, {"llama": {"models_dirs": dirs}})))
    expected = (tmp_path / "models", Path("/mnt/drive"), Path.home() / "m")
    assert found == [(("llama", "models_dirs"), expected)]
    for wrong in (["~nobody-of-that-name/m"], ["a", "b\0"], "one", [5]):
        (error,) = check(Source("f", tmp_path, {"llama": {"models_dirs": wrong}}))
        assert isinstance(error, ConfigValue), wrong
