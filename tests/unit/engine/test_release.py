"""Which archive fits which computer follows from names alone."""

from __future__ import annotations

import pytest

from rony_desktop.contract.build import Archive, Host, Variant
from rony_desktop.engine.release import is_below_floor, offers, variants

# Names of a real release.
NAMES = [
    "cudart-llama-bin-win-cuda-12.4-x64.zip",
    "cudart-llama-bin-win-cuda-13.4-x64.zip",
    "llama-b11211-bin-macos-arm64.tar.gz",
    "llama-b11211-bin-macos-x64.tar.gz",
    "llama-b11211-bin-ubuntu-arm64.tar.gz",
    "llama-b11211-bin-ubuntu-cuda-13.4-x64.tar.gz",
    "llama-b11211-bin-ubuntu-cuda-12.8-x64.tar.gz",
    "llama-b11211-bin-ubuntu-openvino-2026.4-x64.tar.gz",
    "llama-b11211-bin-ubuntu-rocm-10.0-x64.tar.gz",
    "llama-b11211-bin-ubuntu-sycl-fp16-x64.tar.gz",
    "llama-b11211-bin-ubuntu-vulkan-arm64.tar.gz",
    "llama-b11211-bin-ubuntu-vulkan-x64.tar.gz",
    "llama-b11211-bin-ubuntu-x64.tar.gz",
    "llama-b11211-bin-win-cpu-arm64.zip",
    "llama-b11211-bin-win-cpu-x64.zip",
    "llama-b11211-bin-win-cuda-12.4-x64.zip",
    "llama-b11211-bin-win-cuda-13.4-arm64.zip",
    "llama-b11211-bin-win-cuda-13.4-x64.zip",
    "llama-b11211-bin-win-hip-radeon-x64.zip",
    "llama-b11211-bin-win-opencl-adreno-arm64.zip",
    "llama-b11211-bin-win-vulkan-x64.zip",
    "nightly-tag.txt",
]
GLIBC = ("glibc", "2.39")
ALL = [Archive(name, f"https://host/{name}", "0" * 64, 7) for name in NAMES]


def host(system: str, machine: str, *makers: str, libc: tuple[str, str] = GLIBC) -> Host:
    return Host(system, machine, libc, frozenset(makers))


def names(where: Host) -> list[str]:
    found = offers(where, {11211: ALL}, pinned=False)
    return [archive.name.partition("-bin-")[2] for r in found for archive in r.archives]


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (host("Linux", "x86_64"), ["ubuntu-x64.tar.gz"]),
        (
            host("Linux", "x86_64", "nvidia"),
            ["ubuntu-cuda-12.8-x64.tar.gz", "ubuntu-vulkan-x64.tar.gz", "ubuntu-x64.tar.gz"],
        ),
        (
            host("Linux", "x86_64", "amd"),
            ["ubuntu-vulkan-x64.tar.gz", "ubuntu-rocm-10.0-x64.tar.gz", "ubuntu-x64.tar.gz"],
        ),
        (host("Linux", "x86_64", ""), ["ubuntu-vulkan-x64.tar.gz", "ubuntu-x64.tar.gz"]),
        (host("Linux", "aarch64", "intel"), ["ubuntu-vulkan-arm64.tar.gz", "ubuntu-arm64.tar.gz"]),
        (host("Darwin", "arm64", "apple"), ["macos-arm64.tar.gz"]),
        (host("Darwin", "x86_64", "amd"), ["macos-x64.tar.gz"]),
        (
            host("Windows", "AMD64", "nvidia", "intel", libc=("", "")),
            [
                "win-cuda-12.4-x64.zip",
                "win-cuda-12.4-x64.zip",
                "win-vulkan-x64.zip",
                "win-cpu-x64.zip",
            ],
        ),
        (
            host("Windows", "AMD64", "amd", libc=("", "")),
            ["win-vulkan-x64.zip", "win-hip-radeon-x64.zip", "win-cpu-x64.zip"],
        ),
        (host("Windows", "ARM64", "", libc=("", "")), ["win-cpu-arm64.zip"]),
        (host("Linux", "x86_64", "nvidia", libc=("", "")), []),
        (host("Linux", "x86_64", "nvidia", libc=("glibc", "2.31")), []),
        (host("Linux", "riscv64"), []),
        (host("FreeBSD", "amd64"), []),
    ],
)
def test_what_fits(where: Host, expected: list[str]) -> None:
    assert names(where) == expected


def test_every_offer_has_its_variant() -> None:
    found = offers(host("Linux", "x86_64", "nvidia"), {11211: ALL}, pinned=True)
    assert [(each.id, each.variant) for each in found] == [
        ("b11211-cuda", Variant.CUDA),
        ("b11211-vulkan", Variant.VULKAN),
        ("b11211-cpu", Variant.CPU),
    ]
    assert all(each.pinned and each.size_bytes == 7 for each in found)
    assert variants(host("Darwin", "arm64")) == (Variant.METAL,)


def test_cuda_on_windows_is_nothing_without_its_runtime() -> None:
    where = host("Windows", "AMD64", "nvidia", libc=("", ""))
    archives = [each for each in ALL if not each.name.startswith("cudart")]
    assert [each.variant for each in offers(where, {11211: archives}, pinned=False)] == [
        Variant.VULKAN,
        Variant.CPU,
    ]
    (cuda, *_) = offers(where, {11211: ALL}, pinned=False)
    assert (len(cuda.archives), cuda.size_bytes) == (2, 14)
    unknown = [Archive(each.name, each.url, each.sha256) for each in ALL]
    assert offers(where, {11211: unknown}, pinned=False)[0].size_bytes == 0


def test_the_newest_build_comes_first_and_holds_only_its_own() -> None:
    old = [Archive("llama-b9-bin-ubuntu-x64.tar.gz", "https://h/x", "0" * 64), *ALL]
    found = offers(host("Linux", "x86_64"), {9: old, 11211: ALL}, pinned=False)
    assert [each.id for each in found] == ["b11211-cpu", "b9-cpu"]


@pytest.mark.parametrize(
    ("build", "below"),
    [("b8145", True), ("b8146", False), ("b10434", False), ("unknown", False), ("b0", True)],
)
def test_the_floor(build: str, below: bool) -> None:
    assert is_below_floor(build) is below
