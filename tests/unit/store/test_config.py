from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from rony_desktop.contract.config import Config, is_set
from rony_desktop.contract.error import (
    ConfigUnreadable,
    ConfigValue,
    StorageError,
)
from rony_desktop.store.config import Loaded, YamlConfigLoader


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "config").mkdir()
    return tmp_path / "config" / "config.yaml"


def read(
    file: Path,
    text: str = "",
    folder: Path | None = None,
    *,
    env: dict[str, str] | None = None,
    flags: dict[str, object] | None = None,
    trust: bool = False,
) -> Loaded:
    if text:
        file.write_text(text, encoding="utf-8")
    return YamlConfigLoader(file, environment=env or {}, flags=flags).read(folder, trust=trust)


def test_without_any_file_the_defaults_count(file: Path) -> None:
    loaded = read(file)
    assert loaded.config == Config()
    assert loaded.notices == ()
    assert set(loaded.sources.values()) == {"default"}
    assert loaded.sources["llama.models.main.port"] == "default"


def test_config_precedence_env_file_defaults(file: Path, tmp_path: Path) -> None:
    """Seed: config precedence env > file > defaults; flags and ./rony.yaml beside them."""
    (tmp_path / "rony.yaml").write_text("model: workspace\napp: {max_steps: 3, history_limit: 3}")
    text = "model: file\npersona: file\napp: {max_steps: 2, history_limit: 2, max_parse_errors: 2}"
    env = {"RONY_MODEL": "env", "RONY_APP__MAX_STEPS": "4"}
    loaded = read(file, text, tmp_path, env=env, flags={"model": "flag"}, trust=True)
    config = loaded.config
    assert (config.model, config.persona) == ("flag", "file")
    assert config.app.max_steps == 4
    assert config.app.history_limit == 3
    assert config.app.max_parse_errors == 2
    assert config.app.context_token_budget == 6000
    assert loaded.sources["model"] == "command line"
    assert loaded.sources["app.max_steps"] == "environment"
    assert loaded.sources["app.history_limit"] == str(tmp_path / "rony.yaml")
    assert loaded.sources["app.max_parse_errors"] == str(file)
    assert loaded.notices == ()


def test_a_flag_not_given_does_not_count(file: Path) -> None:
    assert read(file, "model: m", flags={"model": None}).config.model == "m"


def test_what_is_set_is_known(file: Path) -> None:
    main = read(file, "llama: {models: {main: {port: 8080}}}").config.llama.models.main
    assert is_set(main, "port")
    assert not is_set(main, "ctx_size")
    assert not is_set(read(file, "llama: {models: {main: {}}}").config.llama.models.main, "port")


def test_a_workspace_is_ignored_until_it_is_trusted(file: Path, tmp_path: Path) -> None:
    (tmp_path / "rony.yaml").write_text("model: theirs")
    loaded = read(file, "", tmp_path)
    assert loaded.config.model == ""
    assert [n.code for n in loaded.notices] == ["config.ignored"]
    loader = YamlConfigLoader(file, environment={})
    assert loader.load(tmp_path).model == ""
    assert read(file, "", tmp_path / "config").notices == ()


def test_a_workspace_sets_only_what_it_may(file: Path, tmp_path: Path) -> None:
    text = "model: m\ntools: {permissions: {shell: allow}}\nllama: {binary_path: ./evil}\n5: x\n"
    (tmp_path / "rony.yaml").write_text(text)
    loaded = read(file, "", tmp_path, trust=True)
    assert loaded.config == Config(model="m")
    assert [n.params["key"] for n in loaded.notices] == ["tools", "llama", "5"]
    assert all(
        "model, persona" in n.params["expected"] or "app" in n.params["expected"]
        for n in loaded.notices
    )


@pytest.mark.parametrize(
    ("text", "model", "codes"),
    [
        ("model: seen", "seen", []),
        ("", "", []),
        ("- model", "", []),
        ("model: [", "", ["config.unreadable"]),
        ("model: seen\ntools: {permissions: {shell: allow}}", "seen", ["config.value"]),
    ],
)
def test_the_text_that_was_trusted_counts_whatever_the_file_says_now(
    file: Path, tmp_path: Path, text: str, model: str, codes: list[str]
) -> None:
    (tmp_path / "rony.yaml").write_text("model: changed")
    loaded = YamlConfigLoader(file, environment={}).read(tmp_path, trusted=text)
    assert loaded.config == Config(model=model)
    assert [n.code for n in loaded.notices] == codes


def test_one_wrong_value_costs_only_itself(file: Path) -> None:
    loaded = read(
        file,
        "model: m\napp: {max_steps: 0, history_limit: 5}\nlogging: {level: loud}\nlimits: 7\n",
        env={"RONY_APP__HISTORY_LIMIT": "many", "RONY_LIMITS__TOOL_TIMEOUT_S": "2.5"},
    )
    assert loaded.config.model == "m"
    assert loaded.config.app.max_steps == 20
    assert loaded.config.app.history_limit == 5
    assert loaded.config.limits.tool_timeout_s == 2.5
    by_key = {n.params["key"]: n for n in loaded.notices}
    assert set(by_key) == {"app.max_steps", "logging.level", "limits", "app.history_limit"}
    assert by_key["app.max_steps"].params == {
        "key": "app.max_steps",
        "file": str(file),
        "value": "0",
        "expected": "greater than or equal to 1",
    }
    assert "'debug', 'info'" in by_key["logging.level"].params["expected"]
    assert by_key["app.history_limit"].params["file"] == "environment"
    assert by_key["limits"].params["expected"].startswith("keys: max_iterations")


def test_an_unknown_key_names_the_closest_first(file: Path) -> None:
    loaded = read(file, "app: {max_step: 3}\nmodle: x")
    expected = {n.params["key"]: n.params["expected"] for n in loaded.notices}
    assert expected["app.max_step"].startswith("one of: max_steps, ")
    assert expected["modle"].startswith("one of: model, ")


def test_the_environment_nests_and_parses(file: Path, tmp_path: Path) -> None:
    env = {
        "RONY_LLAMA__MODELS__MAIN__PATH": "~/m.gguf",
        "RONY_LLAMA__MODELS__MAIN__PORT": "9000",
        "RONY_TOOLS": "{permissions: {shell: deny}}",
        "RONY_TOOLS__PERMISSIONS__READ_FILE": "allow",
        "RONY_MODEL": "123",
        "RONY_PERSONA": "[x",
        "RONY_NEW": "secret-value",
        "rony_app__max_steps": "6",
        "HOME": "x",
    }
    loaded = read(file, env=env)
    config = loaded.config
    assert config.llama.models.main.path == Path.home() / "m.gguf"
    assert config.llama.models.main.port == 9000
    assert dict(config.tools.permissions) == {"shell": "deny", "read_file": "allow"}
    assert (config.model, config.persona, config.app.max_steps) == ("123", "[x", 6)
    (notice,) = loaded.notices
    assert notice.params["key"] == "new"
    assert "secret-value" not in str(notice)


def test_true_is_no_number(file: Path) -> None:
    loaded = read(file, "app: {max_steps: true}", env={"RONY_LIMITS__MAX_ITERATIONS": "true"})
    assert loaded.config == Config()
    assert len(loaded.notices) == 2


def test_one_wrong_permission_costs_only_itself(file: Path) -> None:
    loaded = read(file, "tools: {permissions: {a.b: deny, c: perhaps, d: ask}}")
    assert dict(loaded.config.tools.permissions) == {"a.b": "deny", "d": "ask"}
    assert [n.params["key"] for n in loaded.notices] == ["tools.permissions.c"]
    assert read(file, "tools: {permissions: [a]}").notices


def test_agents_come_from_every_level(file: Path, tmp_path: Path) -> None:
    (tmp_path / "rony.yaml").write_text("agents: {assistant: {tools: [shell]}}")
    env = {"RONY_AGENTS__HELPER__TOOLS": "[list_files]"}
    text = "agents: {assistant: {tools: [read_file]}, wrong: {tools: 5}}"
    loaded = read(file, text, tmp_path, env=env, trust=True)
    tools = {name: agent.tools for name, agent in loaded.config.agents.items()}
    assert tools == {"assistant": ("read_file",), "helper": ("list_files",)}
    assert [n.params["key"] for n in loaded.notices] == ["agents", "agents.wrong.tools"]
    assert loaded.sources["agents.assistant.tools"] == str(file)


def test_the_tools_of_an_agent_are_saved(file: Path) -> None:
    loader = YamlConfigLoader(file, environment={})
    loader.save({"agents.assistant.tools": ["read_file"], "tools.permissions.a.b": "deny"})
    config = loader.load(None)
    assert config.agents["assistant"].tools == ("read_file",)
    assert dict(config.tools.permissions) == {"a.b": "deny"}
    for key in ("agents.assistant.tool", "agents.assistant.tools.x"):
        with pytest.raises(ConfigValue):
            loader.save({key: None})
    loader.save({"agents.assistant.tools": None})
    assert loader.load(None).agents["assistant"].tools == ()


def test_paths_start_from_where_they_are_written(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    text = "sandbox: {workspace: ../w}\nllama: {binary_path: ~nobody-at-all/x}\nworkspace: ''"
    loaded = read(file, text, flags={"llama.models.main.path": "m.gguf"})
    assert loaded.config.sandbox.workspace == file.parent / "../w"
    assert loaded.config.llama.models.main.path == here / "m.gguf"
    assert loaded.config.llama.binary_path is None
    assert loaded.config.workspace is None
    assert [n.params["key"] for n in loaded.notices] == ["llama.binary_path"]
    os.rmdir(here)  # noqa: PTH106 - the current folder itself
    assert read(file).config.model == ""


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("model: [", "line 1, column"),
        ("model: m\nmodel: n", 'line 2, column 1: found duplicate key "model"'),
        ("a: 1\n\tb: 2", "line 2, column 1"),
        ("app: &x {max_steps: 3}\nlimits: *x", "line 2, column 9: aliases"),
        ("a: !!python/object:os.system x", "line 1, column 4"),
        ("--- 1\n--- 2", "line 2"),
        ("- model", "found a list"),
        ("just text", "found a str"),
        ("a: \x01", "unacceptable character"),
        ("[" * 5000, ""),
    ],
)
def test_an_unreadable_file_is_said_with_its_place(file: Path, text: str, where: str) -> None:
    loaded = read(file, text, env={"RONY_MODEL": "still"})
    assert loaded.config == Config(model="still")
    (notice,) = loaded.notices
    assert notice.code == "config.unreadable"
    assert notice.params["file"] == str(file)
    assert where in notice.params["where"]


def test_duplicate_keys_do_not_show_their_values(file: Path) -> None:
    (notice,) = read(file, "api_key: abc123xyz\napi_key: abc123xyz").notices
    assert "abc123xyz" not in str(notice)


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (b"model: \xff\xfe", "UTF-8"),
        ("model: m".encode("utf-16"), "UTF-8"),
        (b"# " + b"x" * 10_000_000, "larger"),
        (os.urandom(300) + b"\xff", "UTF-8"),
    ],
)
def test_a_file_that_is_no_text_is_said(file: Path, data: bytes, where: str) -> None:
    file.write_bytes(data)
    (notice,) = read(file).notices
    assert where in notice.params["where"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_what_is_no_file_is_said_at_once(file: Path) -> None:
    file.mkdir()
    assert read(file).notices[0].params["where"] == "it is not a file"
    file.rmdir()
    os.mkfifo(file)
    assert read(file).notices[0].params["where"] == "it is not a file"


def test_bom_comments_and_empty_files_are_fine(file: Path) -> None:
    assert read(file, "\ufeffmodel: m").config.model == "m"
    for text in ("# nothing", " \n", "llama:\n  models:\n", "model:\n"):
        loaded = read(file, text)
        assert (loaded.config, loaded.notices) == (Config(), ())


def test_secrets_are_not_shown(file: Path) -> None:
    secret = "sk-" + "abcdefghij0123456789"
    loaded = read(file, f"logging: {{level: {secret}}}\nprovider: {{api_key: {secret}}}")
    assert len(loaded.notices) == 2
    assert not any("abcdefghij" in str(n) for n in loaded.notices)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(["model", "app", "llama", "tools", "limits", "sandbox", "x", "provider"])
INNER = st.sampled_from(["models", "permissions", "max_steps", "workspace", "binary_path", "name"])


@given(
    values=st.dictionaries(KEYS, st.dictionaries(INNER, VALUES) | VALUES),
    env=st.dictionaries(
        st.sampled_from(["RONY_MODEL", "RONY_APP", "RONY_TOOLS", "RONY_LLAMA__MODELS"]), st.text()
    ),
)
def test_no_values_stop_the_program(values: dict[str, object], env: dict[str, str]) -> None:
    loader = YamlConfigLoader(Path("/nowhere/config.yaml"), environment=env, flags=values)
    assert isinstance(loader.read(None).config, Config)


def test_saving_keeps_comments_and_order(file: Path) -> None:
    file.write_text(
        "# mine\nmodel: old  # the model\n\napp:\n  # steps\n  max_steps: 5\n  history_limit: 3\n"
    )
    loader = YamlConfigLoader(file, environment={})
    loader.save(
        {
            "model": "new: one",
            "app.history_limit": None,
            "llama.models.main.path": Path("/m.gguf"),
            "tools.permissions.mcp.read": "deny",
        }
    )
    text = file.read_text()
    assert text.startswith(
        "# mine\nmodel: 'new: one' # the model\n\napp:\n  # steps\n  max_steps: 5\n"
    )
    config = loader.load(None)
    assert (config.model, config.app.max_steps, config.app.history_limit) == ("new: one", 5, 12)
    assert config.llama.models.main.path == Path("/m.gguf")
    assert dict(config.tools.permissions) == {"mcp.read": "deny"}
    assert file.stat().st_mode & 0o777 == 0o600


def test_saving_makes_the_file(tmp_path: Path) -> None:
    file = tmp_path / "new" / "config.yaml"
    loader = YamlConfigLoader(file, environment={})
    loader.save({"app.max_steps": 7})
    assert loader.load(None).app.max_steps == 7
    loader.save({"app.max_steps": None, "model": None})
    assert loader.load(None) == Config()


@pytest.mark.parametrize(
    "changes",
    [
        {"app.max_steps": 0},
        {"app.nothing": 1},
        {"nothing": None},
        {"app": 5},
        {"model": "ok", "limits.max_iterations": "x"},
    ],
)
def test_nothing_wrong_is_saved(file: Path, changes: dict[str, object]) -> None:
    file.write_text("model: old")
    with pytest.raises(ConfigValue):
        YamlConfigLoader(file, environment={}).save(changes)
    assert file.read_text() == "model: old"


@pytest.mark.parametrize("text", ["model: [", "- a", "a: &x 1\nb: *x"])
def test_an_unreadable_file_is_not_written_over(file: Path, text: str) -> None:
    file.write_text(text)
    with pytest.raises(ConfigUnreadable):
        YamlConfigLoader(file, environment={}).save({"model": "m"})
    assert file.read_text() == text


def test_a_folder_that_refuses_is_said(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("")
    with pytest.raises(ConfigUnreadable):
        YamlConfigLoader(tmp_path / "a" / "config.yaml", environment={}).save({"model": "m"})
    refusing = Path("/proc/self")  # even to root
    if refusing.is_dir():
        with pytest.raises(StorageError):
            YamlConfigLoader(refusing / "b" / "config.yaml", environment={}).save({"model": "m"})
