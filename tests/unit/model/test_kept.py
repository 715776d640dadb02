from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from rony_desktop.contract.config import OptimizationMode
from rony_desktop.contract.plan import Wanted
from rony_desktop.model.gguf import GgufMetadataReader
from rony_desktop.model.kept import KIND, as_record, from_record, keep, kept
from tests.fake.record import FakeRecordStore
from tests.fixture.gguf import gguf

WANTED = Wanted(
    mode=OptimizationMode.SMALL,
    n_ctx=4096,
    gpu_layers=0,
    cache_type_k="q8_0",
    flash_attn="on",
    repack=False,
    swa_full=True,
    n_cpu_moe=12,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.gguf"
    path.write_bytes(gguf())
    return path


async def test_what_is_kept_comes_back_for_the_same_file_wherever_it_lies(file: Path) -> None:
    records, reader = FakeRecordStore(), GgufMetadataReader()
    await keep(records, reader.read(file), WANTED)
    (file.parent / "moved").mkdir()
    moved = file.rename(file.parent / "moved" / file.name)
    assert await kept(records, reader.read(moved)) == WANTED


async def test_nothing_wanted_is_forgotten(file: Path) -> None:
    records, model = FakeRecordStore(), GgufMetadataReader().read(file)
    await keep(records, model, WANTED)
    await keep(records, model, Wanted())
    assert records.kept[KIND] == {}
    assert await kept(records, model) == Wanted()


def test_slots_are_no_wish_of_a_user() -> None:
    assert as_record(Wanted(parallel=3)) == {}


@given(
    st.dictionaries(
        st.sampled_from(sorted(as_record(WANTED))),
        st.one_of(
            st.none(), st.booleans(), st.integers(), st.text(max_size=5), st.lists(st.none())
        ),
    )
)
def test_a_spoiled_record_wants_only_what_can_be_meant(record: dict[str, object]) -> None:
    wanted = from_record(record)
    assert from_record(as_record(wanted)) == wanted
    assert wanted.n_ctx is None or wanted.n_ctx > 0
    assert wanted.gpu_layers is None or wanted.gpu_layers >= 0
