"""Launch plans: the context fits, a batch takes half a second, the cache holds a whole context."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from rony_desktop.contract.config import Config
from rony_desktop.contract.model import Machine, ModelMetadata
from rony_desktop.model.planner import MIB, ModelPlanner, batch_size

GIB = 1 << 30
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


def machine(ram_gb: int, free_gb: int | None = None, cores: int = 4) -> Machine:
    free = ram_gb if free_gb is None else free_gb
    return Machine(ram_gb * GIB, free * GIB, cores, cores)


def planner(**values: object) -> ModelPlanner:
    return ModelPlanner(Config.model_validate({"llama": values}).llama)


def test_a_small_model_gets_its_whole_context() -> None:
    launch = planner().plan(SMALL, machine(24))
    assert launch.n_ctx == 8192
    assert launch.port is None
    kv_mb = SMALL.kv_bytes_per_token * launch.n_ctx / MIB
    assert launch.cache_ram_mb >= kv_mb


def test_what_the_user_set_is_taken() -> None:
    launch = planner(models={"main": {"ctx_size": 1024, "port": 9000}}).plan(SMALL, machine(24))
    assert (launch.n_ctx, launch.port) == (1024, 9000)


def test_no_context_is_larger_than_the_model_was_trained_for() -> None:
    launch = planner(models={"main": {"ctx_size": 1_000_000}}).plan(SMALL, machine(24))
    assert launch.n_ctx == SMALL.context_length


def test_a_default_port_is_never_used() -> None:
    assert planner(models={"main": {}}).plan(SMALL, machine(24)).port is None


def test_little_memory_means_less_context() -> None:
    full = planner().plan(BIG, machine(32)).n_ctx
    less = planner().plan(BIG, machine(16, 9)).n_ctx
    assert less < full
    assert less % 256 == 0


def test_a_batch_is_about_half_a_second() -> None:
    assert batch_size(SMALL.size_bytes, 2) == 128
    assert batch_size(5 * GIB, 8) == 32
    assert batch_size(SMALL.size_bytes, 64) == 512


@given(st.integers(0, 1 << 42), st.integers(1, 256))
def test_batches_stay_in_their_bounds(size: int, cores: int) -> None:
    batch = batch_size(size, cores)
    assert 32 <= batch <= 512
    assert batch & (batch - 1) == 0


@given(st.integers(1, 64), st.integers(0, 64), st.integers(1, 64))
def test_every_plan_is_usable(ram: int, free: int, cores: int) -> None:
    launch = planner().plan(BIG, machine(ram, min(free, ram), cores))
    assert 2048 <= launch.n_ctx <= 8192
    assert launch.threads >= 1
    assert launch.threads <= launch.threads_batch or cores == 1
