"""Names that run code or steer the assistant: changing them asks, even where writing is allowed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

STEERING = (
    "AGENTS.md",
    "rony.yaml",
    "mcp.json",
    ".mcp.json",
    "CLAUDE.md",
    "GEMINI.md",
    "AGENTS.override.md",
    "CLAUDE.local.md",
    "copilot-instructions.md",
    ".clinerules",
    ".cursorrules",
    ".windsurfrules",
)
# Read by the shell, by git, by editors and by search without anyone's asking.
STARTING = (
    ".bash_aliases",
    ".bash_login",
    ".bash_logout",
    ".bash_profile",
    ".bashrc",
    ".cshrc",
    ".emacs",
    ".envrc",
    ".exrc",
    ".gdbinit",
    ".gitconfig",
    ".gitmodules",
    ".inputrc",
    ".kshrc",
    ".login",
    ".logout",
    ".npmrc",
    ".pre-commit-config.yaml",
    ".profile",
    ".ripgreprc",
    ".tcshrc",
    ".tmux.conf",
    ".vimrc",
    ".xinitrc",
    ".xprofile",
    ".xsession",
    ".xsessionrc",
    ".yarnrc.yml",
    ".zlogin",
    ".zlogout",
    ".zprofile",
    ".zshenv",
    ".zshrc",
    "config.fish",
    "Microsoft.PowerShell_profile.ps1",
)
# Everything in them counts; what a desktop starts by itself lies in .config and .local.
FOLDERS = (
    ".bashrc.d",
    ".claude",
    ".config",
    ".cursor",
    ".devcontainer",
    ".emacs.d",
    ".git",
    ".hg",
    ".husky",
    ".idea",
    ".local",
    ".ssh",
    ".vim",
    ".vscode",
    ".zed",
)
NAMES = (*STEERING, *STARTING, *FOLDERS)
PERSONA = re.compile(r"[^/]+\.ya?ml")
# FAT's short form of a longer name: which one, only the file system knows.
SHORT = re.compile(r"(?=[^.]{3,8}(?:\.|$))[^.~]{1,6}~[0-9]{1,6}(?:\.[^.]{0,3})?")
_IGNORED = "Cf"  # zero width and direction marks, which HFS+ leaves out of comparisons


def key(name: str) -> str:
    """One spelling for every name that some file system takes for the same.

    Case, normal form, invisible characters, a stream's name and dots or blanks at the end go.
    """
    visible = "".join(c for c in name if unicodedata.category(c) != _IGNORED)
    folded = unicodedata.normalize("NFKC", visible).casefold()
    folded = unicodedata.normalize("NFKC", folded).casefold()
    stem = folded.partition(":")[0]
    return stem.rstrip(". \t")


_KEYS = frozenset(key(name) for name in NAMES)


def is_protected(parts: Sequence[str]) -> bool:
    """Whether a path's parts, links resolved, name something protected."""
    keys = [key(piece) for part in parts for piece in re.split(r"[/\\]", part)]
    if any(name in _KEYS or SHORT.fullmatch(name) for name in keys):
        return True
    return len(keys) > 1 and keys[-2] == "personas" and bool(PERSONA.fullmatch(keys[-1]))


def lies_in(parts: Sequence[str], folder: Sequence[str]) -> bool:
    """Whether parts name a folder or something in it, however they are spelled."""
    inner = [key(part) for part in parts[: len(folder)]]
    return inner == [key(part) for part in folder]
