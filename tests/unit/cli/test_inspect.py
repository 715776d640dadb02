"""`inspect` as JSON and as text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rony_desktop.cli.main import main
from tests.fixture.gguf import LLAMA, gguf
from tests.fixture.twin import write_twin

Captured = pytest.CaptureFixture[str]


def test_json_of_a_mixture(tmp_path: Path, capsys: Captured) -> None:
    path = write_twin("qwen3-30b-a3b", tmp_path / "m.gguf")
    assert main(["inspect", str(path), "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    found = json.loads(line)
    assert (found["architecture"], found["architecture_known"]) == ("qwen3moe", True)
    assert found["geometry"]["layers_by_kind"] == {"full attention": 48}
    assert found["geometry"]["experts"] == 128
    assert found["tokenizer"]["vocabulary_size"] == 151_936
    assert 4 < found["quantization"]["bits_per_weight"] < 6
    assert found["chat_template"] is False
    assert found["path"] == str(path)


def test_text_of_a_mixture(tmp_path: Path, capsys: Captured) -> None:
    assert main(["inspect", str(write_twin("gemma-3-1b", tmp_path / "m.gguf"))]) == 0
    text = capsys.readouterr().out
    assert "26: 22 sliding window, 4 full attention" in text
    assert "window         512 tokens" in text
    assert "262,144 tokens" in text
    main(["inspect", str(write_twin("qwen3-30b-a3b", tmp_path / "m.gguf"))])
    assert "128, 8 used for a token" in capsys.readouterr().out


def test_text_of_a_small_file(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(
        gguf({**LLAMA, "general.architecture": "llama", "tokenizer.chat_template.tool_use": "x"})
    )
    assert main(["inspect", str(path)]) == 0
    text = capsys.readouterr().out
    assert "chat template  yes, and tool_use" in text
    assert "0, 0 bits each" in text


def test_an_unknown_architecture_says_so(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(gguf({"general.architecture": "zork", "zork.block_count": 0}))
    assert main(["inspect", str(path)]) == 0
    text = capsys.readouterr().out
    assert "zork (not known here), a model" in text
    assert "0: none" in text
    assert "chat template  no" in text
