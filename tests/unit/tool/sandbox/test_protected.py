"""Protected names by spelling alone."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, strategies as st

from rony_desktop.tool.sandbox.protected import NAMES, is_protected, key, lies_in

SPELLINGS = [
    ".GIT", ".Git", ".git.", ".git ", ".git. .", ".g\u200cit", "\u202e.git", ".git::$DATA",
    ".git:x", "\uff0egit", ".\uff47it", "GIT~1", "git~1", "AGENTS~1.MD", "GI7EBA~1", "a\\.git",
    "agents.MD", "AGENTS.md ", "agent\u017f.md", "Rony.YAML", ".BASHRC", ".mcp.json", "MCP.json",
    ".VSCode", ".idea", ".gitmodules", ".ripgreprc", ".envrc", ".profile", ".zshrc", ".ssh",
    ".config/autostart/x.desktop", ".config/fish/conf.d/x.fish", ".local/bin/ls", ".vimrc", ".exrc",
    ".bashrc.d/x", "AGENTS.override.md", "CLAUDE.local.md", ".github/copilot-instructions.md",
]  # fmt: skip
FREE = [
    "git", ".gitignore", ".github", "AGENTS.txt", "my-AGENTS.md", "readme.md", "a.git", "~1", "~",
    "notes~", "a-long-name~1.txt", "persona.yaml", ".", ".bashrc.bak", "rony.yaml.example",
]  # fmt: skip


@pytest.mark.parametrize("name", SPELLINGS)
def test_every_spelling_is_protected_at_any_depth(name: str) -> None:
    for parts in ((name,), ("a", "b", name), (name, "x"), ("a", name, "b", "c")):
        assert is_protected(parts)


@pytest.mark.parametrize("name", FREE)
def test_other_names_are_free(name: str) -> None:
    assert not is_protected((name,))
    assert not is_protected(("a", name, "b"))


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_forms_of_a_name_have_one_key(form: str) -> None:
    for name in (*NAMES, "caf\u00e9", "\ufb01le"):
        assert key(unicodedata.normalize(form, name)) == key(name)


@pytest.mark.parametrize(
    ("parts", "protected"),
    [
        (("personas", "a.yaml"), True),
        (("x", "Personas", "A.YML"), True),
        (("personas", "a.txt"), False),
        (("personas", "deep", "a.yaml"), False),
        (("other", "a.yaml"), False),
        ((), False),
    ],
)
def test_personas_are_protected(parts: tuple[str, ...], protected: bool) -> None:
    assert is_protected(parts) is protected


def test_lies_in_goes_by_parts() -> None:
    assert lies_in(("Docs", "x"), ("docs",))
    assert lies_in(("docs",), ("docs",))
    assert not lies_in(("docs",), ("docs", "x"))
    assert not lies_in(("docs2", "x"), ("docs",))


@given(st.text(max_size=30))
def test_keys_are_stable(name: str) -> None:
    assert key(name.upper()) == key(name.upper().lower().upper())
    assert key(key(name)) == key(name)
