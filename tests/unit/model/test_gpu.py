"""The engine's list of devices, and what the system adds to it."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from rony_desktop.contract.model import Gpu
from rony_desktop.model.gpu import merge, parse_devices, vendor_of, without_repeats
from tests.fixture import device

GIB = 1 << 30
MIB = 1 << 20
CARD = Gpu("NVIDIA GeForce RTX 3060", total_bytes=12 * GIB, free_bytes=9 * GIB, integrated=False)


def parsed(text: str) -> tuple[Gpu, ...]:
    found = parse_devices(text)
    assert found is not None
    return found


def test_an_engine_may_have_no_device() -> None:
    assert parsed(device.RECORDED_NO_DEVICE) == ()


def test_a_device_whose_name_has_brackets() -> None:
    (gpu,) = parsed(device.RECORDED_SOFTWARE_DEVICE)
    assert gpu == Gpu(
        "llvmpipe (LLVM 15.0.6, 256 bits)",
        device="Vulkan0",
        backend="vulkan",
        total_bytes=2048 * MIB,
        free_bytes=2048 * MIB,
        integrated=True,
    )


@pytest.mark.parametrize("text", ["", "error: invalid argument: --list-devices\n"])
def test_another_text_is_no_list(text: str) -> None:
    assert parse_devices(text) is None


def test_sample_lines_above_the_list_are_not_of_it() -> None:
    (gpu,) = parsed(device.SAMPLE_CUDA)
    assert (gpu.device, gpu.backend, gpu.integrated) == ("CUDA0", "cuda", None)
    assert (gpu.total_bytes, gpu.free_bytes) == (12288 * MIB, 11000 * MIB)


def test_sample_processor_libraries_are_no_devices() -> None:
    (gpu,) = parsed(device.SAMPLE_METAL)
    assert (gpu.name, gpu.backend, gpu.integrated) == ("Apple M1 Pro", "metal", True)


def test_sample_memory_an_engine_does_not_know() -> None:
    remote, phone = parsed(device.SAMPLE_REMOTE)
    assert (remote.device, remote.backend, remote.total_bytes) == ("RPC0", "rpc", 24 * GIB)
    assert phone == Gpu(
        "QUALCOMM Adreno(TM) 740", device="GPUOpenCL", backend="opencl", integrated=True
    )


@pytest.mark.parametrize(
    ("name", "integrated"),
    [
        ("Intel(R) UHD Graphics 770", True),
        ("Intel(R) Iris(R) Xe Graphics (TGL GT2)", True),
        ("Intel(R) Iris(R) Xe MAX Graphics", None),
        ("Intel(R) Arc(TM) Graphics (MTL)", True),
        ("Intel(R) Arc(TM) A770 Graphics (DG2)", None),
        ("AMD Radeon Graphics (RADV RENOIR)", True),
        ("AMD Radeon 780M Graphics (RADV PHOENIX)", True),
        ("Radeon 8060S Graphics", True),
        ("AMD Radeon RX 7600M XT", None),
        ("AMD Radeon RX 6800 (RADV NAVI21)", None),
        ("NVIDIA GB10", True),
        ("NVIDIA GeForce RTX 3060", None),
    ],
)
def test_sample_names_that_tell_a_processors_graphics(name: str, integrated: bool | None) -> None:
    (gpu,) = parsed(f"Available devices:\n  Vulkan0: {name} (8192 MiB, 8000 MiB free)\n")
    assert gpu.integrated is integrated


@given(st.text())
def test_no_text_raises(text: str) -> None:
    parse_devices("Available devices:\n" + text)


@given(
    st.from_regex(r"[A-Za-z]{1,12}\d{0,2}", fullmatch=True).filter(
        lambda name: name.lower().rstrip("0123456789") not in ("cpu", "blas")
    ),
    st.text(st.characters(codec="ascii", categories=("L", "N", "P", "Zs")), min_size=1),
    st.integers(1, 1 << 24),
    st.integers(0, 1 << 24),
)
def test_every_line_the_engine_prints_is_read(id: str, name: str, total: int, free: int) -> None:
    (gpu,) = parsed(f"Available devices:\n  {id}: {name} ({total} MiB, {free} MiB free)\n")
    assert (gpu.device, gpu.name) == (id, name)
    assert (gpu.total_bytes, gpu.free_bytes) == (total * MIB, free * MIB)


def test_the_smaller_free_memory_counts() -> None:
    (gpu,) = merge(parsed(device.SAMPLE_CUDA), (CARD,))
    assert (gpu.device, gpu.free_bytes, gpu.integrated) == ("CUDA0", 9 * GIB, False)


def test_a_device_listed_by_two_backends_is_told_the_same() -> None:
    merged = merge(parsed(device.SAMPLE_TWO_BACKENDS), (CARD,))
    assert [(gpu.device, gpu.free_bytes) for gpu in merged] == [
        ("CUDA0", 9 * GIB),
        ("Vulkan0", 9 * GIB),
    ]


def test_a_card_and_a_processor_of_one_maker_are_not_mixed_up() -> None:
    processor = Gpu("AMD GPU 0x1636", total_bytes=GIB // 2, free_bytes=100, integrated=True)
    card = Gpu("AMD GPU 0x73bf", total_bytes=16 * GIB, free_bytes=14 * GIB, integrated=False)
    first, second = merge(parsed(device.SAMPLE_RADEON), (processor, card))
    assert (first.device, first.integrated, first.free_bytes) == ("Vulkan0", False, 14 * GIB)
    # What was set aside at start-up says nothing of what the engine can have.
    assert (second.integrated, second.free_bytes) == (True, 7000 * MIB)


def test_what_the_system_knows_counts_more_than_a_name() -> None:
    (listed,) = parsed("Available devices:\n  ROCm0: AMD Radeon Graphics (100 MiB, 90 MiB free)\n")
    assert listed.integrated
    card = Gpu("AMD GPU 0x7550", total_bytes=100 * MIB, free_bytes=80 * MIB, integrated=False)
    (gpu,) = merge((listed,), (card,))
    assert (gpu.backend, gpu.integrated, gpu.free_bytes) == ("rocm", False, 80 * MIB)


def test_a_number_no_memory_has_is_no_line() -> None:
    assert parsed(f"Available devices:\n  CUDA0: x ({'9' * 5000} MiB, 1 MiB free)\n") == ()


def test_a_device_the_engine_does_not_list_stands_behind_without_its_name() -> None:
    other = Gpu("Intel GPU 0x9a49", integrated=True)
    merged = merge(parsed(device.SAMPLE_CUDA), (other, CARD))
    assert [gpu.device for gpu in merged] == ["CUDA0", ""]
    assert merged[1] == other
    assert merge((), (CARD,)) == (CARD,)


def test_a_device_of_another_computer_is_none_of_this_one() -> None:
    remote = Gpu("NVIDIA of a friend", device="RPC0", backend="rpc")
    assert merge((remote,), (CARD,)) == (remote, CARD)


def test_two_equal_cards_stay_two() -> None:
    listed = [Gpu(CARD.name, device=f"CUDA{n}", backend="cuda") for n in (0, 1, 2)]
    twin = Gpu(CARD.name, total_bytes=12 * GIB, free_bytes=GIB)
    merged = merge(listed, (CARD, twin))
    assert [gpu.free_bytes for gpu in merged] == [9 * GIB, GIB, None]


def test_an_estimate_stays_one_only_where_the_engine_says_nothing() -> None:
    guess = Gpu("Apple M1 Pro", total_bytes=10 * GIB, free_bytes=5 * GIB, estimated=True)
    (told,) = merge(parsed(device.SAMPLE_METAL), (guess,))
    assert (told.total_bytes, told.estimated) == (10922 * MIB, False)
    (silent,) = merge((Gpu("Apple M1 Pro", device="MTL0", integrated=True),), (guess,))
    assert (silent.total_bytes, silent.free_bytes, silent.estimated) == (10 * GIB, 5 * GIB, True)


@pytest.mark.parametrize(
    ("name", "vendor"),
    [
        ("Quadro P2000", "nvidia"),
        ("AMD Instinct MI300X", "amd"),
        ("Intel(R) Arc(TM) A770", "intel"),
        ("Apple M4", "apple"),
        ("llvmpipe", ""),
    ],
)
def test_makers_by_name(name: str, vendor: str) -> None:
    assert vendor_of(name) == vendor


def test_a_card_its_driver_told_of_is_not_told_twice() -> None:
    cards = (Gpu("NVIDIA GPU 0x2504"), Gpu("Intel GPU 0x9a49"))
    assert without_repeats((CARD,), cards) == (CARD, cards[1])
    assert without_repeats((), cards) == cards
