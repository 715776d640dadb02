"""Numbers as people read them."""

import pytest

from rony_desktop.ui.number import count_text, decimal_text, gigabytes, short_count

pytestmark = pytest.mark.ui


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0"),
        (950, "950"),
        (1240, "1.2k"),
        (2000, "2k"),
        (8192, "8k"),
        (131072, "128k"),
        (128500, "128k"),
    ],
)
def test_short_counts(count: int, text: str) -> None:
    assert short_count(count) == text


def test_numbers_have_groups_and_one_decimal() -> None:
    assert count_text(1500) == "1,500"
    assert decimal_text(3) == "3.0"


def test_sizes_are_in_gb_and_what_is_there_never_reads_as_nothing() -> None:
    assert gigabytes(int(4.86 * (1 << 30))) == "4.9\u2009GB"
    assert gigabytes(int(4.86 * (1 << 30)), 2) == "4.86\u2009GB"
    assert gigabytes(1) == "<0.1\u2009GB"
    assert gigabytes(1, 2) == "<0.01\u2009GB"
    assert gigabytes(0) == "0.0\u2009GB"
