"""Launch plans: what is given is fixed, the rest fits, and every value has its reason."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from rony_desktop.contract.config import Config, OptimizationMode
from rony_desktop.contract.error import PlanError
from rony_desktop.contract.model import Gpu, Machine, ModelMetadata, Setting
from rony_desktop.contract.plan import MIB, PlanResult, Source, Wanted, Why
from rony_desktop.model.estimate import estimate
from rony_desktop.model.gguf import GgufMetadataReader
from rony_desktop.model.planner import ModelPlanner, fits_in_memory
from tests.fixture.twin import write_twin

GIB = 1 << 30
ONE = Wanted(parallel=1)
SMALL = ModelMetadata(
    path=Path("/m/small.gguf"), size_bytes=98_362_432, architecture="llama", context_length=8192,
    block_count=30, embedding_length=576, head_count=9, head_count_kv=3,
    key_length=64, value_length=64,
)  # fmt: skip
BIG = ModelMetadata(
    path=Path("/m/big.gguf"), size_bytes=5 * GIB, architecture="qwen3", context_length=40_960,
    block_count=36, embedding_length=4096, head_count=32, head_count_kv=8,
    key_length=128, value_length=128,
)  # fmt: skip
LATENT = ModelMetadata(
    path=Path("/m/latent.gguf"), size_bytes=GIB, architecture="deepseek2", context_length=163_840,
    block_count=27, embedding_length=2048, head_count=16, head_count_kv=1,
    key_length=576, value_length=512,
    values={
        "deepseek2.attention.kv_lora_rank": 512, "deepseek2.attention.key_length_mla": 192,
        "deepseek2.attention.value_length_mla": 128,
    },
)  # fmt: skip


def machine(ram_gb: float, free_gb: float | None = None, cores: int = 4, vram: int = 0) -> Machine:
    free = ram_gb if free_gb is None else free_gb
    size = vram * GIB
    gpus = (Gpu("g", "GPU0", total_bytes=size, free_bytes=size),) if vram else ()
    return Machine(int(ram_gb * GIB), int(free * GIB), cores, cores, gpus=gpus)


def planner(**values: object) -> ModelPlanner:
    return ModelPlanner(Config.model_validate({"llama": values}).llama)


def plan(model: ModelMetadata, here: Machine, **wanted: Any) -> PlanResult:
    return planner().plan(model, here, Wanted(**{"parallel": 1, **wanted}))


def types(result: PlanResult) -> tuple[str, str]:
    return result.launch.cache_type_k, result.launch.cache_type_v


def test_a_small_model_gets_its_whole_context() -> None:
    result = plan(SMALL, machine(24))
    assert result.launch.n_ctx == 8192
    assert result.launch.port is None
    assert result.fits
    assert result.launch.cache_ram_mb * MIB >= result.estimate.kv_bytes
    assert result.reasons["n_ctx"].why is Why.MODEL_LIMIT


def test_what_the_user_set_is_taken() -> None:
    config = {"main": {"ctx_size": 1024, "port": 9000}}
    result = planner(models=config).plan(SMALL, machine(24), ONE)
    assert (result.launch.n_ctx, result.launch.port) == (1024, 9000)
    assert result.reasons["n_ctx"].source is Source.CONFIG


def test_what_is_given_comes_before_what_is_set() -> None:
    result = planner(models={"main": {"ctx_size": 1024}}).plan(
        SMALL, machine(24), Wanted(n_ctx=512)
    )
    assert result.launch.n_ctx == 512
    assert result.reasons["n_ctx"].source is Source.GIVEN


@pytest.mark.parametrize("source", [Source.GIVEN, Source.CONFIG, Source.PLANNED])
def test_no_context_is_larger_than_the_model_was_trained_for(source: Source) -> None:
    config = {"main": {"ctx_size": 1_000_000}} if source is Source.CONFIG else {}
    wanted = Wanted(n_ctx=1_000_000 if source is Source.GIVEN else None)
    result = planner(models=config).plan(SMALL, machine(24), wanted)
    assert result.launch.n_ctx == SMALL.context_length
    assert result.reasons["n_ctx"].why is Why.MODEL_LIMIT
    assert result.reasons["n_ctx"].source is source


def test_a_default_port_is_never_used() -> None:
    assert planner(models={"main": {}}).plan(SMALL, machine(24)).launch.port is None


def test_little_memory_means_less_context() -> None:
    full = plan(BIG, machine(32))
    less = plan(BIG, machine(16, 10.5))
    assert (full.launch.n_ctx, full.reasons["n_ctx"].why) == (8192, Why.MODE)
    assert 2048 <= less.launch.n_ctx < 8192
    assert less.launch.n_ctx % 256 == 0
    assert less.fits
    assert less.reasons["n_ctx"].why is Why.MEMORY
    assert not plan(BIG, machine(16, 10.5), n_ctx=less.launch.n_ctx + 256).fits


def test_too_little_memory_is_said_and_the_context_is_the_smallest() -> None:
    result = plan(BIG, machine(7))
    assert (result.launch.n_ctx, result.fits) == (2048, False)
    assert result.reasons["n_ctx"].why is Why.SMALLEST
    assert result.ram_needed_bytes > result.ram.room_bytes


def test_what_is_given_is_never_made_smaller() -> None:
    result = plan(BIG, machine(8), n_ctx=40_960)
    assert (result.launch.n_ctx, result.fits) == (40_960, False)


def test_what_the_loaded_model_gives_back_makes_room() -> None:
    here = machine(16, 6)
    assert not planner().plan(BIG, here, ONE).fits
    assert planner().plan(BIG, here, ONE, free_again_bytes=6 * GIB).fits


def test_vram_of_the_loaded_model_makes_room() -> None:
    here = machine(32, vram=2)
    before = planner().plan(BIG, here, ONE).launch.gpu_layers or 0
    after = planner().plan(BIG, here, ONE, vram_again_bytes=8 * GIB).launch.gpu_layers or 0
    assert before < after


def test_the_cache_holds_one_context_always_and_two_where_there_is_room() -> None:
    ample, tight = plan(BIG, machine(64)), plan(BIG, machine(16, 10.5))
    for result in (ample, tight):
        assert result.cache_ram_bytes >= result.estimate.kv_bytes
    assert ample.cache_ram_bytes == 2 * ample.estimate.kv_bytes
    assert tight.cache_ram_bytes < 2 * tight.estimate.kv_bytes


def test_one_core_is_left_to_the_rest() -> None:
    launch = plan(SMALL, machine(24, cores=6)).launch
    assert (launch.threads, launch.threads_batch) == (5, 6)
    assert plan(SMALL, machine(24, cores=1)).launch.threads == 1


def test_speed_gives_up_context_for_layers_on_the_gpu() -> None:
    here = machine(32, vram=8)
    speed = plan(BIG, here, mode=OptimizationMode.SPEED)
    assert speed.launch.n_ctx == 4096
    tight = plan(BIG, Machine(
        32 * GIB, 32 * GIB, 4, 4, gpus=(Gpu("g", "GPU0", free_bytes=GIB + 5700 * MIB),)
    ), mode=OptimizationMode.SPEED)  # fmt: skip
    assert tight.fits
    assert types(tight) == ("f16", "f16")


def test_context_is_as_large_as_fits_and_quantised_only_if_needed() -> None:
    ample = plan(BIG, machine(64), mode=OptimizationMode.CONTEXT)
    assert (ample.launch.n_ctx, types(ample)) == (40_960, ("f16", "f16"))
    tight = plan(BIG, machine(16), mode=OptimizationMode.CONTEXT)
    assert types(tight) == ("q8_0", "q8_0")
    assert tight.launch.flash_attn == "on"
    assert tight.fits
    assert tight.reasons["cache_type_k"].why is Why.CACHE_SMALLER
    kept = plan(BIG, machine(16), mode=OptimizationMode.CONTEXT, flash_attn="off")
    assert types(kept) == ("f16", "f16")
    assert kept.launch.n_ctx < tight.launch.n_ctx


def test_small_takes_the_least() -> None:
    small = plan(BIG, machine(32), mode=OptimizationMode.SMALL)
    default = plan(BIG, machine(32))
    assert small.estimate.total_bytes < default.estimate.total_bytes
    assert types(small) == ("q8_0", "q8_0")
    assert small.reasons["cache_type_v"].why is Why.MODE
    assert plan(SMALL, machine(24, cores=64), mode=OptimizationMode.SMALL).launch.n_batch == 128


def test_the_mode_of_the_settings_counts_where_none_is_given() -> None:
    result = planner(optimization_mode="small").plan(BIG, machine(32), ONE)
    assert result.launch.n_ctx == 4096
    assert result.reasons["n_ctx"].params == {"mode": "small"}


@pytest.mark.parametrize("mode", [OptimizationMode.BALANCED, OptimizationMode.SPEED])
@pytest.mark.parametrize("ram", [4, 8, 12, 64])
def test_a_cache_is_never_quantised_unasked(mode: OptimizationMode, ram: int) -> None:
    assert types(plan(BIG, machine(ram), mode=mode)) == ("f16", "f16")


def test_values_in_blocks_turn_flash_attention_on() -> None:
    result = plan(BIG, machine(32), cache_type_v="q4_0")
    assert (types(result), result.launch.flash_attn) == (("f16", "q4_0"), "on")
    assert result.reasons["flash_attn"].why is Why.FLASH_NEEDED
    assert plan(BIG, machine(32), cache_type_k="q8_0").launch.flash_attn == "auto"
    assert plan(BIG, machine(32), flash_attn="off").launch.flash_attn == "off"


def test_contradictions_are_refused() -> None:
    with pytest.raises(PlanError, match="flash attention"):
        plan(BIG, machine(32), cache_type_v="q8_0", flash_attn="off")
    with pytest.raises(PlanError, match="are one"):
        plan(LATENT, machine(32), cache_type_k="q8_0", cache_type_v="f16")


def test_keys_and_values_that_are_one_get_one_type() -> None:
    key = plan(LATENT, machine(32), cache_type_k="q8_0")
    assert types(key) == ("q8_0", "q8_0")
    assert key.reasons["cache_type_v"].why is Why.CACHE_ALIKE
    assert types(plan(LATENT, machine(32), cache_type_v="bf16")) == ("bf16", "bf16")
    assert types(plan(LATENT, machine(6), mode=OptimizationMode.CONTEXT)) == ("q8_0", "q8_0")


def test_heads_that_do_not_fill_blocks_stay_exact() -> None:
    odd = ModelMetadata(
        path=Path("/m/odd.gguf"), size_bytes=GIB, architecture="llama", context_length=8192,
        block_count=8, embedding_length=640, head_count=8, head_count_kv=8,
        key_length=80, value_length=80,
    )  # fmt: skip
    assert types(plan(odd, machine(32), mode=OptimizationMode.SMALL)) == ("f16", "f16")


def test_layers_are_left_to_an_engine_that_was_not_asked() -> None:
    asked = machine(32)
    assert plan(SMALL, asked).launch.gpu_layers == 0
    unasked = Machine(32 * GIB, 32 * GIB, 4, 4, unknown=("gpus",))
    result = plan(SMALL, unasked)
    assert result.launch.gpu_layers is None
    assert result.reasons["gpu_layers"].why is Why.ENGINE
    assert plan(SMALL, unasked, gpu_layers=3).launch.gpu_layers == 3


def test_layers_without_a_device_do_not_fit() -> None:
    assert not plan(SMALL, machine(32), gpu_layers=31).fits


def test_a_batch_is_at_least_what_is_given_for_its_parts() -> None:
    launch = plan(SMALL, machine(24), n_ubatch=512).launch
    assert (launch.n_batch, launch.n_ubatch) == (512, 512)
    launch = plan(SMALL, machine(24), n_ubatch=32).launch
    assert (launch.n_batch, launch.n_ubatch) == (256, 32)


def test_slots_are_the_servers_own_where_none_are_given() -> None:
    result = planner().plan(SMALL, machine(24))
    assert result.launch.parallel is None
    assert result.reasons["parallel"].why is Why.SLOTS_DEFAULT
    assert plan(SMALL, machine(24)).launch.parallel == 1


def test_an_unknown_architecture_is_an_upper_bound_and_says_so() -> None:
    model = ModelMetadata(
        path=Path("/m/x.gguf"), size_bytes=GIB, architecture="zork", block_count=4,
        embedding_length=64, head_count=4, head_count_kv=4, key_length=16, value_length=16,
    )  # fmt: skip
    result = plan(model, machine(24))
    assert result.reasons["estimate"].why is Why.UPPER_BOUND
    assert result.reasons["estimate"].params == {"architecture": "zork"}
    assert result.launch.n_ctx == 8192
    assert plan(model, machine(24), mode=OptimizationMode.CONTEXT).launch.n_ctx == 131_072


def test_memory_that_holds_an_estimate() -> None:
    config = Config().llama
    need = estimate(BIG, Setting(n_ctx=8192))
    assert fits_in_memory(need, machine(32), config)
    assert not fits_in_memory(need, machine(8), config)
    assert not fits_in_memory(need, machine(32, 9), config)


@given(st.integers(1, 64), st.integers(0, 64), st.integers(1, 64), st.integers(0, 24))
def test_every_plan_is_usable(ram: int, free: int, cores: int, vram: int) -> None:
    result = plan(BIG, machine(ram, min(free, ram), cores, vram))
    launch = result.launch
    assert 2048 <= launch.n_ctx <= 8192
    assert launch.threads >= 1
    assert launch.threads <= launch.threads_batch or cores == 1
    assert launch.n_ubatch <= launch.n_batch
    assert 0 <= (launch.gpu_layers or 0) <= 37
    assert result.fits == (
        result.ram_needed_bytes <= result.ram.room_bytes
        and result.estimate.device.total_bytes <= (result.vram.room_bytes if result.vram else 0)
    )


def test_with_other_machines_the_engine_places_the_layers_and_their_memory_counts(
    tmp_path: Path,
) -> None:
    twin = GgufMetadataReader().read(write_twin("qwen3-4b", tmp_path / "twin.gguf"))
    alone = planner().plan(twin, machine(3), ONE)
    assert not alone.fits
    assert alone.launch.rpc_workers == ()
    worker = Gpu("10.0.0.9:50052", "RPC0", "rpc", 16 * GIB, 16 * GIB)
    here = replace(machine(3), gpus=(worker,))
    plan = planner(rpc_workers=("10.0.0.9:50052",)).plan(twin, here, ONE)
    assert plan.fits
    assert plan.launch.rpc_workers == ("10.0.0.9:50052",)
    assert plan.launch.gpu_layers is None
    assert plan.reasons["gpu_layers"].why is Why.ENGINE
