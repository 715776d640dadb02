"""Numbers as people read them."""

import pytest

from rony_desktop.ui.number import (
    bytes_per_second,
    count_text,
    decimal_text,
    duration_text,
    gigabytes,
    rate_text,
    rough_count,
    share_text,
    short_count,
    size_text,
)

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


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0"),
        (940, "940"),
        (999, "1.0k"),
        (1240, "1.2k"),
        (12_345, "12k"),
        (999_999, "1.0M"),
        (1_234_567, "1.2M"),
        (45_600_000, "46M"),
    ],
)
def test_rough_counts(count: int, text: str) -> None:
    assert rough_count(count) == text


def test_numbers_have_groups_and_one_decimal() -> None:
    assert count_text(1500) == "1,500"
    assert decimal_text(3) == "3.0"


def test_sizes_are_in_gb_and_what_is_there_never_reads_as_nothing() -> None:
    assert gigabytes(int(4.86 * (1 << 30))) == "4.9\u2009GB"
    assert gigabytes(int(4.86 * (1 << 30)), 2) == "4.86\u2009GB"
    assert gigabytes(1) == "<0.1\u2009GB"
    assert gigabytes(1, 2) == "<0.01\u2009GB"
    assert gigabytes(0) == "0.0\u2009GB"


MIB, GIB = 1 << 20, 1 << 30


@pytest.mark.parametrize(
    ("count", "of", "text"),
    [
        (0, 0, "0 MB"),
        (1, 0, "1 MB"),
        (310 * MIB, 0, "310 MB"),
        (GIB - 1, 0, "1.0 GB"),
        (5 * GIB, 0, "5.0 GB"),
        (51 * MIB, 102 * MIB, "51 MB"),
        (512 * MIB, 4 * GIB, "0.5 GB"),
        (1, 4 * GIB, "<0.1 GB"),
    ],
)
def test_small_sizes_are_in_mb_where_they_are_no_part_of_a_large_one(
    count: int, of: int, text: str
) -> None:
    assert size_text(count, of).replace("\u2009", " ") == text


@pytest.mark.parametrize(
    ("speed", "rough", "text"),
    [
        (8.44, True, "8.4 tok/s"),
        (26.41, True, "26 tok/s"),
        (26.41, False, "26.4 tok/s"),
        (483.6, False, "484 tok/s"),
    ],
)
def test_how_fast_a_model_writes(speed: float, rough: bool, text: str) -> None:
    assert rate_text(speed, rough=rough).replace("\u2009", " ") == text


def test_a_part_is_not_the_whole_before_all_of_it_is_there() -> None:
    assert [share_text(share) for share in (0.42, 0.999, 1)] == [
        "42\u2009%",
        "99\u2009%",
        "100\u2009%",
    ]


@pytest.mark.parametrize(
    ("rate", "text"),
    [
        (0, "0 kB/s"),
        (430_000, "420 kB/s"),
        (3.84 * (1 << 20), "3.8 MB/s"),
        (38.4 * (1 << 20), "38 MB/s"),
    ],
)
def test_how_fast_bytes_come(rate: float, text: str) -> None:
    assert bytes_per_second(rate).replace("\u2009", " ") == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "1 s"),
        (39.6, "40 s"),
        (61, "1 min"),
        (179, "3 min"),
        (3599, "60 min"),
        (3600, "1 h"),
        (4800, "1 h 20 min"),
    ],
)
def test_how_long_something_takes(seconds: float, text: str) -> None:
    assert duration_text(seconds).replace("\u2009", " ") == text
