from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.contract.model import ModelMetadata
from rony_desktop.model.family import same, smaller
from tests.fixture.speed import model, tensor


def file(name: str, size: int, *, said: str = "") -> ModelMetadata:
    return replace(
        model(), path=Path(f"{name}.gguf"), size_bytes=size, name=said, chat_template="{{ x }}"
    )


def test_the_largest_of_the_smaller_files_is_taken() -> None:
    files = [file(f"Llama-1B-{quant}", size) for quant, size in SIZES.items()]
    found = smaller(files[1], files)
    assert found is files[2]
    assert smaller(files[-1], files) is None


SIZES = {"Q8_0": 900, "Q6_K": 700, "Q4_K_M": 500, "IQ3_XXS": 300}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Qwen3-8B-Q4_K_M", "Qwen3-8B.Q8_0"),
        ("gemma-3-12b-it-UD-Q4_K_XL", "gemma-3-12b-it-bf16"),
        ("gpt-oss-20b-mxfp4", "gpt-oss-20b-F16"),
        ("Phi_4.i1-IQ4_XS", "phi-4-Q5_K_S"),
        ("phi-4-TQ2_0", "phi-4-NVFP4"),
        ("Qwen3-30B-A3B-Q8_0-00001-of-00003", "Qwen3-30B-A3B-Q4_K_M"),
    ],
)
def test_words_of_the_file_are_no_part_of_the_name(one: str, other: str) -> None:
    assert same(file(one, 1), file(other, 2))


@pytest.mark.parametrize(
    ("one", "other"), [("Llama-1B-Q4_K_M", "Pirate-1B-Q4_K_M"), ("Qwen3-8B-Q8_0", "Qwen3-8B-Coder")]
)
def test_another_tune_is_another_model(one: str, other: str) -> None:
    assert not same(file(one, 1), file(other, 2))


@pytest.mark.parametrize("key", ["general.basename", "general.finetune"])
def test_a_tune_that_kept_the_name_is_told_by_what_else_the_file_says(key: str) -> None:
    one = file("a", 1, said="Llama 1B")
    says = {word: replace(one, values={**one.values, key: word}) for word in ("Chat", "chat", "x")}
    assert same(says["Chat"], says["chat"])
    assert same(says["Chat"], one)
    assert not same(says["Chat"], says["x"])


def test_another_network_is_another_model() -> None:
    one = file("Llama-Q8_0", 900)
    assert not same(one, replace(one, block_count=one.block_count + 1))
    assert not same(one, replace(one, tensors=(*one.tensors, tensor("more", (256, 8)))))


def test_the_name_in_the_file_counts_before_the_files_own() -> None:
    assert same(file("a", 1, said="Llama 1B"), file("b", 2, said="llama-1b"))


def test_a_base_model_is_no_answer() -> None:
    large, small = file("Llama-Q8_0", 900), file("Llama-Q4_0", 500)
    assert smaller(large, [replace(small, chat_template="")]) is None
