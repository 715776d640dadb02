from __future__ import annotations

from dataclasses import replace

import pytest
from gguf.constants import LlamaFileType

from rony_desktop.model.quant import quant_of
from tests.fixture.speed import model, tensor


@pytest.mark.parametrize(
    ("number", "name"), [(15, "Q4_K_M"), (7, "Q8_0"), (1, "F16"), (1024 + 14, "Q4_K_S")]
)
def test_the_file_says_what_it_is(number: int, name: str) -> None:
    assert quant_of(replace(model(), values={"general.file_type": number})) == name


# What people call the one file type that is named for a kind of model.
CALLED = {"MXFP4_MOE": "MXFP4"}


@pytest.mark.parametrize(
    "each", [each for each in LlamaFileType if each is not LlamaFileType.GUESSED]
)
def test_every_type_of_the_format_has_its_name(each: LlamaFileType) -> None:
    name = each.name.removeprefix("ALL_").removeprefix("MOSTLY_")
    found = quant_of(replace(model(), values={"general.file_type": each.value}, tensors=()))
    assert found == CALLED.get(name, name)


@pytest.mark.parametrize("number", [9999, "Q4", None])
def test_else_the_type_of_most_bytes_is_named(number: object) -> None:
    tensors = (tensor("a", (256, 4), "Q6_K"), tensor("b", (256, 400), "Q5_K"))
    values = {"general.file_type": number}
    assert quant_of(replace(model(), values=values, tensors=tensors)) == "Q5_K"


def test_a_file_without_weights_has_none() -> None:
    assert quant_of(replace(model(), values={}, tensors=())) == ""
