"""Cards in sysfs: labelled samples, for no machine here has one."""

from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.contract.model import Gpu
from rony_desktop.model.drm import read_card, read_cards

GIB = 1 << 30


def card(drm: Path, name: str, files: dict[str, str]) -> Path:
    folder = drm / name
    (folder / "device").mkdir(parents=True)
    for key, value in files.items():
        (folder / key).write_text(f"{value}\n")
    return folder


def amd(total: int, used: int, *counters: str) -> dict[str, str]:
    return {
        "device/vendor": "0x1002",
        "device/device": "0x73bf",
        "device/mem_info_vram_total": str(total),
        "device/mem_info_vram_used": str(used),
        **{f"device/{counter}": "0" for counter in counters},
    }


def test_sample_amd_card(tmp_path: Path) -> None:
    files = amd(16 * GIB, GIB, "gpu_busy_percent", "mem_busy_percent")
    found = read_card(card(tmp_path, "card0", files))
    assert found == Gpu(
        "AMD GPU 0x73bf", total_bytes=16 * GIB, free_bytes=15 * GIB, integrated=False
    )


def test_sample_amd_vega_is_a_card(tmp_path: Path) -> None:
    found = read_card(card(tmp_path, "card0", amd(8, 0, "gpu_busy_percent", "pcie_bw")))
    assert found
    assert found.integrated is False


def test_sample_amd_processor(tmp_path: Path) -> None:
    files = amd(512, 600, "gpu_busy_percent") | {"device/product_name": "AMD Radeon"}
    found = read_card(card(tmp_path, "card1", files))
    assert found == Gpu("AMD Radeon", total_bytes=512, free_bytes=0, integrated=True)


def test_sample_amd_of_an_old_kernel(tmp_path: Path) -> None:
    found = read_card(card(tmp_path, "card0", {"device/vendor": "0x1002"}))
    assert found == Gpu("AMD GPU")


@pytest.mark.parametrize(
    ("uevent", "integrated"),
    [
        ("DRIVER=i915\nPCI_SLOT_NAME=0000:00:02.0", True),
        ("DRIVER=xe\nPCI_SLOT_NAME=0000:03:00.0", False),
        ("DRIVER=xe", None),
    ],
)
def test_sample_intel(tmp_path: Path, uevent: str, integrated: bool | None) -> None:
    files = {"device/vendor": "0x8086", "device/device": "0x56a0", "device/uevent": uevent}
    assert read_card(card(tmp_path, "card0", files)) == Gpu(
        "Intel GPU 0x56a0", integrated=integrated
    )


def test_sample_intel_local_memory(tmp_path: Path) -> None:
    sizes = {"lmem_total_bytes": "1000", "lmem_avail_bytes": "400"}
    found = read_card(card(tmp_path, "card0", {"device/vendor": "0x8086"} | sizes))
    assert found
    assert (found.total_bytes, found.free_bytes) == (1000, 400)


def test_cards_are_told_from_their_connectors_and_from_virtual_displays(tmp_path: Path) -> None:
    card(tmp_path, "card0", {"device/vendor": "0x1af4"})
    card(tmp_path, "card1", {"device/vendor": "0x10de", "device/device": "0x2504"})
    card(tmp_path, "card1-HDMI-A-1", {"device/vendor": "0x10de"})
    card(tmp_path, "renderD128", {"device/vendor": "0x10de"})
    assert read_cards(tmp_path) == (Gpu("NVIDIA GPU 0x2504"),)


def test_without_sysfs_there_are_none(tmp_path: Path) -> None:
    assert read_cards(tmp_path / "absent") == ()
