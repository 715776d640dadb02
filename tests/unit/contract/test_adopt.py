"""What sharing bytes saves."""

from __future__ import annotations

from pathlib import Path

from rony_desktop.contract.adopt import Duplicate


def test_every_copy_is_saved_and_what_is_kept_is_not() -> None:
    found = Duplicate("ab", 41, Path("kept"), (Path("a"), Path("b")))
    assert found.saved_bytes == 82
