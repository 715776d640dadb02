"""A GB is the same everywhere: 1024 MB."""

from __future__ import annotations

from rony_desktop.contract.size import GB, MB, gb


def test_a_size_is_in_gb_or_a_small_one_in_mb() -> None:
    assert gb(51 * GB + GB // 5) == "51.2 GB"
    assert gb(GB) == "1.0 GB"
    assert gb(98 * MB) == "98 MB"
    assert gb(0) == "0 MB"
