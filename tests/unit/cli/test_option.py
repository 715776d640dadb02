"""What can be given of a launch, and what is no value of it."""

from __future__ import annotations

import argparse

import pytest

from rony_desktop.cli.option import MOST_LAYERS, add_file, add_plan
from rony_desktop.contract.plan import ALL_LAYERS

GIB = 1 << 30


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_file(parser)
    add_plan(parser)
    return parser.parse_args(["m.gguf", *words])


def test_nothing_is_given_where_nothing_is_said() -> None:
    found = vars(parsed())
    assert {name for name, value in found.items() if value} == {"file"}


def test_every_option_has_its_value() -> None:
    found = parsed(
        *("--ctx", "4096", "--mode", "speed", "--ram", "8GiB", "--vram", "0", "--gpu-layers", "7"),
        *("--cache-type-k", "q8_0", "--cache-type-v", "f16", "--ubatch", "256"),
        *("--parallel", "2", "--flash-attn", "on", "--no-repack"),
    )
    assert (found.ctx, found.mode, found.ram, found.vram) == (4096, "speed", 8 * GIB, 0)
    assert (found.gpu_layers, found.ubatch, found.parallel) == (7, 256, 2)
    assert (found.cache_type_k, found.cache_type_v, found.flash_attn) == ("q8_0", "f16", "on")
    assert found.no_repack is True


def test_all_and_auto() -> None:
    assert parsed("--gpu-layers", "all").gpu_layers == ALL_LAYERS > MOST_LAYERS
    assert parsed("--gpu-layers", "auto", "--parallel", "auto").gpu_layers is None
    assert parsed("--parallel", "auto").parallel is None


@pytest.mark.parametrize(
    "words",
    [
        ("--ctx", "0"), ("--ctx", "-5"), ("--ctx", "many"), ("--ctx", "99999999"),
        ("--mode", "fast"), ("--ram", "much"), ("--vram", "8X"), ("--gpu-layers", "none"),
        ("--gpu-layers", "70000"), ("--cache-type-k", "q3"), ("--cache-type-v", "F16"),
        ("--ubatch", "0"), ("--parallel", "0"), ("--parallel", "257"), ("--flash-attn", "maybe"),
    ],
)  # fmt: skip
def test_what_is_no_value_is_a_usage_error(
    words: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        parsed(*words)
    assert ended.value.code == 2
    assert words[1] in capsys.readouterr().err
