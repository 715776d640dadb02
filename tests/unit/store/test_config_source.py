from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rony_desktop.contract.error import ConfigUnreadable
from rony_desktop.store.config_source import (
    LIMIT_BYTES,
    Loose,
    dump,
    parse,
    put,
    read_environment,
    read_file,
    read_text,
)


def test_the_environment_keeps_the_text_beside_the_value(tmp_path: Path) -> None:
    source = read_environment({"RONY_A__B": "1", "RONY_C": "{d: 2}", "OTHER": "x"}, tmp_path)
    assert source.values == {"a": {"b": Loose(1, "1")}, "c": {"d": 2}}


def test_put_makes_what_is_missing_and_removes() -> None:
    values: dict[str, object] = {"a": 1}
    put(values, ("a", "b"), 2)
    put(values, ("c",), 3)
    put(values, ("c",), None)
    put(values, ("never", "there"), None)
    assert values["a"] == {"b": 2}
    assert "c" not in values


def test_comments_survive_a_round_trip() -> None:
    text = '# top\na: "x"  # side\nb:\n- 1\n# end\n'
    assert dump(parse(text, "f", "rt")) == text


def test_a_merge_bomb_is_refused_at_once() -> None:
    lines = ["a0: &a0 {k: v}"]
    lines += [f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}" for n in range(1, 40)]
    with pytest.raises(ConfigUnreadable, match="aliases"):
        parse("\n".join(lines), "f")


def test_sizes_are_bounded(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"#" * LIMIT_BYTES)
    assert len(read_text(file)) == LIMIT_BYTES
    file.write_bytes(b"#" * (LIMIT_BYTES + 1))
    with pytest.raises(ConfigUnreadable):
        read_text(file)


def test_a_missing_file_has_no_values(tmp_path: Path) -> None:
    assert read_file(tmp_path / "none").values == {}


def test_yaml_is_not_loaded_where_nothing_is_configured() -> None:
    code = (
        "import sys, pathlib; from rony_desktop.store.config import YamlConfigLoader as L;"
        "L(pathlib.Path('/nowhere'), environment={'PATH': 'x'}).load(None);"
        "print('ruamel.yaml' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
