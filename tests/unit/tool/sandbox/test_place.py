"""Where paths lie: validate, relative and protected."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rony_desktop.contract.error import SandboxViolationError
from rony_desktop.contract.message import ToolCall
from rony_desktop.tool.sandbox.root import Root


@pytest.mark.parametrize(
    "path", ["a", "a/b/c", "none/none/", ".", "a/../a", "link", "dangling", "5%", "%41", "~"]
)
def test_what_can_lie_inside_is_valid(yard: Any, path: str) -> None:
    yard.grow("a/f", "link->a", "dangling->a/none")
    yard.box.validate(path)


@pytest.mark.parametrize(
    "path",
    [
        "%2e%2e/%2e%2e/etc/passwd",
        "%2E%2e/x",
        "..%2fx",
        "%252e%252e/x",
        "%25252e%25252e/x",
        "..%5cx",
        "a%00b",
        ".%2e/x",
        "none/../../x",
        "dangling",
        "link/../../x",
    ],
)
def test_what_cannot_lie_inside_is_not_valid(yard: Any, path: str) -> None:
    yard.grow("a/", "link->a", "dangling->../none")
    with pytest.raises(SandboxViolationError):
        yard.box.validate(path)


def test_percent_signs_are_never_decoded(yard: Any) -> None:
    yard.box.mkdir("%2e%2e")
    yard.box.write_text("%2e%2e/target", "mine")
    assert yard.box.read_text("%2e%2e/target") == "mine"
    assert yard.box.list() == ["%2e%2e"]
    with pytest.raises(SandboxViolationError):
        yard.box.read_text("%2e%2e/../../target")


@pytest.mark.parametrize("name", ["path", "source", "target", "folder", "file"])
@pytest.mark.parametrize(
    "arguments",
    [
        '{"NAME": "../x"}',
        '{"NAME": "/etc/passwd"}',
        '{"NAME": "../x", "NAME": "ok"}',
        '{"NAME": "\\u002e\\u002e/x"}',
        '{"all": [{"NAME": "../x"}]}',
    ],
)
def test_a_call_is_validated_by_its_paths(yard: Any, name: str, arguments: str) -> None:
    with pytest.raises(SandboxViolationError):
        yard.box.validate(ToolCall("1", "t", arguments.replace("NAME", name)))


@pytest.mark.parametrize(
    "arguments", ['{"path": "ok", "text": "../x"}', "{}", "[]", '{"path": 5}', '{"other": "/x"}']
)
def test_a_call_without_such_paths_is_valid(yard: Any, arguments: str) -> None:
    yard.box.validate(ToolCall("1", "t", arguments))


@pytest.mark.parametrize("arguments", ["", "{", "nonsense", '{"a":' * 100_000])
def test_a_call_that_cannot_be_read_is_refused(yard: Any, arguments: str) -> None:
    with pytest.raises(SandboxViolationError, match="cannot be read"):
        yard.box.validate(ToolCall("1", "t", arguments))


@pytest.mark.parametrize(
    ("path", "spelled"),
    [
        (".", "."),
        ("./a//b/../b/", "a/b"),
        ("link/f", "a/b/f"),
        ("link", "a/b"),
        ("fl", "a/b/f"),
        ("dangling", "a/none"),
        ("none/deep/x", "none/deep/x"),
        ("none/../x", "x"),
        ("a/b/f/under", "a/b/f/under"),
        ("link/..", "a"),
        ("$ABS", "."),
        ("$ABS/link/f", "a/b/f"),
        ("$ABS/none/x", "none/x"),
        ("$ABS/../ROOT/a", "a"),
        ("$SIDE/a/b", "a/b"),
        ("$SIDE/link/new", "a/b/new"),
    ],
)
def test_relative_is_the_folders_own_spelling(
    yard: Any, tmp_path: Path, path: str, spelled: str
) -> None:
    yard.grow("a/b/f", "link->a/b", "fl->link/f", "dangling->a/none")
    side = tmp_path / "other-name"
    side.symlink_to(yard.folder)
    path = path.replace("$ABS", str(yard.folder)).replace("$SIDE", str(side))
    assert yard.box.relative(path) == spelled


@pytest.mark.parametrize(
    "path", ["/", "/etc/passwd", "//etc", "$ABS/../target", "$ABS/../../x", "$ABS/up", "$ABSx/f"]
)
def test_relative_refuses_what_lies_outside(yard: Any, path: str) -> None:
    yard.grow("up->..")
    with pytest.raises(SandboxViolationError):
        yard.box.relative(path.replace("$ABS", str(yard.folder)))


@pytest.mark.parametrize(
    "path",
    [
        ".git/hooks/pre-commit",
        ".git",
        "sub/.git/config",
        ".GIT/config",
        "AGENTS.md",
        "agents.MD",
        "link/config",
        "steer",
        "docs/real.md",
        "docs/new.md",
        "none/../.git/x",
        "a/../AGENTS.md",
        "$ABS/.vscode/tasks.json",
        "CLAUD~1.MD",
        ".bashrc",
        "dotted",
    ],
)
def test_protected_names_are_known_in_every_spelling(yard: Any, path: str) -> None:
    yard.grow(
        "a/",
        "docs/real.md",
        "link->.git",
        "steer->AGENTS.md",
        "CLAUDE.md->docs/real.md",
        ".mcp.json->docs/new.md",
        "dotted->./a/../.envrc",
        "GEMINI.md->../outside",
    )
    assert yard.box.protected(path.replace("$ABS", str(yard.folder)))


@pytest.mark.parametrize(
    "path", ["a", "docs/real.md", ".gitignore", ".git/../notes.md", "agents.md.txt", "git/config"]
)
def test_other_names_are_not_protected(yard: Any, path: str) -> None:
    yard.grow("a/", "docs/real.md", ".git/config", "AGENTS.md", "CLAUDE.md->../gone")
    assert not yard.box.protected(path)


def test_protected_raises_for_what_leads_out(yard: Any) -> None:
    with pytest.raises(SandboxViolationError):
        yard.box.protected("../.git")


def test_the_programs_own_folder_is_protected(yard: Any, make_root: Callable[..., Root]) -> None:
    yard.grow("own/sub/", "link->own", "free/")
    own = yard.folder / "own"
    with make_root(yard.folder, own) as box:
        assert box.protected("own")
        assert box.protected("own/new.txt")
        assert box.protected("link/sub/new.txt")
        assert box.protected("new.txt", base="config")
        assert not box.protected("free/new.txt")
        assert not box.protected("own/../free")
    for workspace in (own, own / "sub"):
        with make_root(workspace, own) as box:
            assert box.protected("anything")
    with make_root(yard.folder / "free", own) as box:
        assert not box.protected("anything")


def test_further_folders_of_the_program_are_protected(yard: Any, kernel: bool) -> None:
    yard.grow("config/", "data/records/", "free/")
    config, data = yard.folder / "config", yard.folder / "data"
    with Root(yard.folder, config, own=(data, data / "missing"), kernel=kernel) as box:
        assert box.protected("data/records/grants.json")
        assert box.protected("config/new.txt")
        assert not box.protected("free/new.txt")
    with Root(data / "records", config, own=(data,), kernel=kernel) as box:
        assert box.protected("grants.json")
