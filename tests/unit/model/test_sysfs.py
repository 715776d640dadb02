"""Files of one value: numbers are numbers, everything else is not known."""

from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.model.sysfs import read_number, read_text


@pytest.mark.parametrize(
    ("content", "number"),
    [("17\n", 17), ("0", 0), ("max\n", None), ("-1\n", None), ("", None), ("²", None)],
)
def test_only_a_whole_number_is_one(tmp_path: Path, content: str, number: int | None) -> None:
    file = tmp_path / "value"
    file.write_text(content, encoding="utf-8")
    assert read_number(file) == number


def test_what_is_not_there_is_empty(tmp_path: Path) -> None:
    assert read_text(tmp_path / "absent") == ""
    assert read_text(tmp_path) == ""
    assert read_number(tmp_path / "absent") is None


def test_bytes_that_are_no_text_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / "value").write_bytes(b" a\xff\n")
    assert read_text(tmp_path / "value") == "a\N{REPLACEMENT CHARACTER}"
