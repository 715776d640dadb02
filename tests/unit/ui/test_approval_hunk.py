"""Rows of a change: numbers, signs, and nothing of it lost."""

from rony_desktop.contract.approval import FileChange, Hunk
from rony_desktop.ui.approval.hunk import DiffRow, RowKind, rows


def shown(*hunks: Hunk, heads: bool = False, columns: int = 40, width: int = 40) -> list[DiffRow]:
    change = FileChange("a", "x", "y", hunks)
    return list(rows(change, heads, columns, lambda text: len(text) <= width))


def test_removed_lines_have_old_numbers_and_added_ones_new() -> None:
    found = shown(
        Hunk(2, ("a\n", "b\n"), ("c\n",)), Hunk(9, (), ("d\n",)), Hunk(20, ("e\n",), ()), heads=True
    )
    assert found == [
        DiffRow(RowKind.HEAD, 0, 3),
        DiffRow(RowKind.REMOVED, 0, 3, "a"),
        DiffRow(RowKind.REMOVED, 0, 4, "b"),
        DiffRow(RowKind.ADDED, 0, 3, "c"),
        DiffRow(RowKind.HEAD, 1, 10),
        DiffRow(RowKind.ADDED, 1, 9, "d"),
        DiffRow(RowKind.HEAD, 2, 21),
        DiffRow(RowKind.REMOVED, 2, 21, "e"),
    ]


def test_a_missing_line_end_and_spaces_at_the_end_are_shown() -> None:
    found = shown(Hunk(0, ("last  ",), ("last\r\n",)))
    assert [(row.kind, row.text) for row in found] == [
        (RowKind.REMOVED, "last\u00b7\u00b7"),
        (RowKind.NO_END, ""),
        (RowKind.ADDED, "last\\r"),
    ]


def test_tabs_and_invisible_characters_are_shown() -> None:
    (row,) = shown(Hunk(0, (), ("\tx \u202e y\n",)))
    assert row.text == "\u2192   x \\u202e y"


def test_long_lines_are_broken_and_nothing_is_lost() -> None:
    line = "".join(chr(97 + n % 26) for n in range(10_000))
    found = shown(Hunk(0, (), (line + "\n",)))
    assert "".join(row.text for row in found) == line
    assert max(len(row.text) for row in found) == 40
    assert [row.line for row in found[:3]] == [1, 0, 0]


def test_wide_characters_are_broken_where_they_fill_the_row() -> None:
    line = "\u65e5" * 100
    found = shown(Hunk(0, (), (line + "\n",)), width=20)
    assert "".join(row.text for row in found) == line
    assert all(len(row.text) <= 20 for row in found)


def test_an_empty_line_has_a_row() -> None:
    (row,) = shown(Hunk(0, (), ("\n",)))
    assert (row.line, row.text) == (1, "")
