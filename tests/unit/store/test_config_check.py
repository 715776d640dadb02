from __future__ import annotations

from pathlib import Path

from rony_desktop.contract.error import ConfigValue
from rony_desktop.store.config_check import check, known_keys, split_key
from rony_desktop.store.config_source import Source


def test_the_keys_of_every_setting_are_known() -> None:
    keys = set(known_keys())
    assert {("model",), ("llama", "models", "main", "port"), ("tools", "permissions")} <= keys
    assert ("llama",) not in keys


def test_the_name_of_a_tool_keeps_its_dots() -> None:
    assert split_key("tools.permissions.mcp.read") == ("tools", "permissions", "mcp.read")
    assert split_key("app.max_steps") == ("app", "max_steps")
    assert split_key("model") == ("model",)


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
