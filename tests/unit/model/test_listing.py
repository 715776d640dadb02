from __future__ import annotations

import time

import pytest

from rony_desktop.contract.hub import HubFile
from rony_desktop.model.listing import quant_name, quants


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("Qwen2.5-7B-Instruct-Q4_K_M.gguf", "Q4_K_M"),
        ("qwen2.5-0.5b-instruct-q8_0.gguf", "Q8_0"),
        ("llama-2-7b.Q4_0.gguf", "Q4_0"),
        ("Big-UD-Q2_K_XL-00001-of-00003.gguf", "UD-Q2_K_XL"),
        ("m-IQ4_XS.gguf", "IQ4_XS"),
        ("gpt-oss-20b-mxfp4.gguf", "MXFP4"),
        ("mmproj-model-f16.gguf", "F16"),
        ("m-fp16.gguf", "FP16"),
        ("m-BF16.gguf", "BF16"),
        ("Q8_0/m-Q4_K_S.gguf", "Q4_K_S"),
        ("Qwen3-4B.gguf", ""),
    ],
)
def test_a_file_name_tells_its_weights(file: str, name: str) -> None:
    assert quant_name(file) == name


def file(name: str, size: int = 10) -> HubFile:
    return HubFile("a/b", name, size, "")


def test_parts_are_one_thing_in_their_order() -> None:
    (found,) = quants([file(f"m-Q8_0-{n:05}-of-00003.gguf", n) for n in (3, 1, 2)])
    assert [each.size_bytes for each in found.files] == [1, 2, 3]
    assert (found.name, found.size_bytes) == ("Q8_0", 6)


def test_a_set_with_a_part_missing_is_not_offered() -> None:
    assert quants([file("m-Q8_0-00001-of-00002.gguf")]) == ()


def test_names_that_claim_many_parts_cost_nothing() -> None:
    files = (HubFile("a/m", f"{n}-00001-of-99999.gguf", 1, "") for n in range(2000))
    before = time.process_time()
    assert quants(files) == ()
    assert time.process_time() - before < 1.0


def test_the_smallest_comes_first_and_projectors_last() -> None:
    names = [("m-Q8_0.gguf", 20), ("mmproj-m-F16.gguf", 1), ("m-Q4_0.gguf", 10), ("README.md", 1)]
    found = quants([file(name, size) for name, size in names])
    assert [(each.name, each.projector) for each in found] == [
        ("Q4_0", False),
        ("Q8_0", False),
        ("F16", True),
    ]
