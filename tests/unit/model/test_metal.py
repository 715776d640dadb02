"""Apple's shared memory: an estimate that says so, or the limit the user set."""

from __future__ import annotations

import pytest

from rony_desktop.model import sysctl
from rony_desktop.model.metal import read_apple, unified

GIB = 1 << 30
MIB = 1 << 20


@pytest.mark.parametrize(
    ("ram_gb", "reported_mib"),
    # recommendedMaxWorkingSetSize in published logs of engines; the memory is inferred.
    [(16, 10922), (24, 16384), (32, 21845), (36, 27648), (64, 49152)],
)
def test_the_estimate_is_not_above_what_was_reported(ram_gb: int, reported_mib: int) -> None:
    gpu = unified("Apple M1", ram_gb * GIB, ram_gb * GIB)
    assert gpu.total_bytes
    assert reported_mib - 1 <= gpu.total_bytes // MIB <= reported_mib
    assert gpu.estimated
    assert gpu.integrated


def test_free_is_no_more_than_the_computer_has() -> None:
    assert unified("Apple M1", 16 * GIB, 3 * GIB).free_bytes == 3 * GIB


def test_a_limit_the_user_set_is_no_estimate() -> None:
    gpu = unified("Apple M1", 16 * GIB, 16 * GIB, wired_limit_mb=14336)
    assert gpu.total_bytes == 14 * GIB
    assert not gpu.estimated
    assert unified("Apple M1", 16 * GIB, 16 * GIB, wired_limit_mb=99_999).total_bytes == 16 * GIB


def test_only_apple_silicon_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sysctl, "read_text", lambda name: "Intel(R) Core(TM) i7")
    assert read_apple(16 * GIB, 8 * GIB) == ()
    monkeypatch.setattr(sysctl, "read_text", lambda name: "Apple M2")
    monkeypatch.setattr(sysctl, "read_number", lambda name: 0)
    (gpu,) = read_apple(16 * GIB, 8 * GIB)
    assert (gpu.name, gpu.free_bytes, gpu.estimated) == ("Apple M2", 8 * GIB, True)
