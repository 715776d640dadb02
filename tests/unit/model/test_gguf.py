from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from rony_desktop.contract.error import ModelCut, ModelFileError, ModelForeign, ModelMissing
from rony_desktop.contract.model import ModelMetadata, Tensor as Row
from rony_desktop.model.gguf import GgufMetadataReader
from tests.fixture.gguf import ARRAY, CODES, LLAMA, STRING, Tensor, Typed, gguf, pair, text

F32, Q4_1, Q8_0, UNKNOWN = 0, 3, 8, 99
TENSORS = (
    Tensor((64, 4), F32, 1024, "a"),
    Tensor((64, 2), Q4_1, 80, "b"),
    Tensor((32, 1), Q8_0, 34, "c"),
)
WHOLE = gguf(LLAMA, TENSORS)
FEATURES = {"max_examples": 150, "deadline": None}
TOGETHER = [HealthCheck.function_scoped_fixture]


def read(folder: Path, content: bytes) -> ModelMetadata:
    path = folder / "model.gguf"
    path.write_bytes(content)
    return GgufMetadataReader().read(path)


def header(*pairs: bytes, tensors: int = 0, keys: int | None = None) -> bytes:
    count = len(pairs) if keys is None else keys
    return b"GGUF" + struct.pack("<IQQ", 3, tensors, count) + b"".join(pairs)


def test_the_fields_of_a_model(tmp_path: Path) -> None:
    found = read(tmp_path, WHOLE)
    assert found == ModelMetadata(
        path=tmp_path / "model.gguf",
        size_bytes=len(WHOLE),
        architecture="llama",
        name="Tiny",
        context_length=2048,
        block_count=2,
        embedding_length=64,
        head_count=4,
        head_count_kv=2,
        key_length=16,
        value_length=16,
        vocabulary_size=3,
        chat_template="{{ messages }}",
        values={key: value for key, value in LLAMA.items() if not isinstance(value, list)},
        tensors=(
            Row("a", (64, 4), F32, 0, 1024),
            Row("b", (64, 2), Q4_1, 1024, 80),
            Row("c", (32, 1), Q8_0, 1120, 34),
        ),
    )


@pytest.mark.parametrize("version", [2, 3])
def test_both_versions(tmp_path: Path, version: int) -> None:
    assert read(tmp_path, gguf(version=version)).architecture == "llama"


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        *[(0, 200), (1, -3), (2, 60_000), (3, -300), (4, 2**32 - 1), (5, -1), (6, 0.5)],
        *[(7, True), (10, 2**63), (11, -(2**40)), (12, 1e300), (STRING, "Grüße 你好")],
    ],
)
def test_every_type_of_value(tmp_path: Path, kind: int, value: Any) -> None:
    found = read(tmp_path, gguf({"x": Typed(kind, value), **LLAMA}))
    assert found.values["x"] == value
    assert found.architecture == "llama"


@pytest.mark.parametrize("kind", [*CODES, STRING])
@pytest.mark.parametrize("length", [0, 3, 5000])
def test_every_type_of_list_is_passed_over(tmp_path: Path, kind: int, length: int) -> None:
    items = ["ab" if kind == STRING else 1] * length
    found = read(tmp_path, gguf({"x": Typed(kind, items), **LLAMA}))
    assert "x" not in found.values
    assert found.context_length == 2048


def test_a_list_by_layer_counts_as_its_largest(tmp_path: Path) -> None:
    layers = {**LLAMA, "llama.attention.head_count_kv": Typed(5, [0, 0, 3, 0])}
    assert read(tmp_path, gguf(layers)).head_count_kv == 3


def test_head_sizes_of_their_own(tmp_path: Path) -> None:
    sizes = {"llama.attention.key_length": 192, "llama.attention.value_length": 128}
    found = read(tmp_path, gguf({**LLAMA, **sizes}))
    assert (found.key_length, found.value_length) == (192, 128)


def test_what_a_file_does_not_say_is_zero(tmp_path: Path) -> None:
    found = read(tmp_path, gguf({"general.architecture": "bert"}))
    assert (found.context_length, found.head_count, found.key_length) == (0, 0, 0)
    assert (found.name, found.chat_template, found.vocabulary_size) == ("", "", 0)


def test_key_value_heads_are_as_many_as_heads_where_unsaid(tmp_path: Path) -> None:
    values = {key: value for key, value in LLAMA.items() if not key.endswith("_kv")}
    assert read(tmp_path, gguf(values)).head_count_kv == 4


def test_values_of_a_wrong_type_count_as_unsaid(tmp_path: Path) -> None:
    odd = {"general.name": 5, "llama.context_length": "long", "llama.block_count": Typed(5, -4)}
    found = read(tmp_path, gguf({**LLAMA, **odd}))
    assert (found.name, found.context_length, found.block_count) == ("", 0, 0)


def test_the_vocabulary_may_be_given_as_a_number(tmp_path: Path) -> None:
    found = read(tmp_path, gguf({"general.architecture": "rwkv", "rwkv.vocab_size": 65536}))
    assert found.vocabulary_size == 65536


def test_a_text_above_the_limit_is_passed_over(tmp_path: Path) -> None:
    found = read(tmp_path, gguf({"big": "x" * 2_000_000, **LLAMA}))
    assert "big" not in found.values
    assert found.name == "Tiny"


def test_texts_together_stay_below_the_limit(tmp_path: Path) -> None:
    many = {f"k{number}": "x" * 1_000_000 for number in range(20)}
    kept = read(tmp_path, gguf({**LLAMA, **many})).values
    assert sum(len(value) for value in kept.values() if isinstance(value, str)) < 8_400_000


def test_tensors_may_have_an_alignment_of_their_own(tmp_path: Path) -> None:
    values = {**LLAMA, "general.alignment": 256}
    content = gguf(values, TENSORS, alignment=256)
    assert read(tmp_path, content).block_count == 2
    with pytest.raises(ModelCut):
        read(tmp_path, content[:-1])


def test_one_missing_byte_of_data_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(ModelCut) as caught:
        read(tmp_path, WHOLE[:-1])
    detail = f"at least 1 of its {len(WHOLE)} bytes are missing"
    assert caught.value.params["detail"] == detail


def test_a_tensor_of_an_unknown_type_is_not_checked(tmp_path: Path) -> None:
    content = gguf(LLAMA, (Tensor((32, 100), UNKNOWN, 1),))
    assert read(tmp_path, content).block_count == 2


def test_a_cut_is_noticed_wherever_it_is(tmp_path: Path) -> None:
    for length in range(4, len(WHOLE)):
        with pytest.raises(ModelCut):
            read(tmp_path, WHOLE[:length])


@pytest.mark.parametrize(
    ("start", "named"),
    [
        (b"", "empty"),
        (b"  \n<!DOCTYPE html><html>", "web page"),
        (b"gguf" + bytes(60), "GGUF"),
        (b"GGUF" + struct.pack(">IQQ", 3, 0, 1), "big-endian"),
        (b"GGUF" + struct.pack("<IQQ", 1, 0, 1), "version is 1"),
        (b"GGUF" + struct.pack("<IQQ", 4, 0, 1), "version is 4"),
        (b"GGUF" + bytes(20), "version is 0"),
    ],
)
def test_another_format_is_named(tmp_path: Path, start: bytes, named: str) -> None:
    with pytest.raises(ModelForeign) as caught:
        read(tmp_path, start)
    assert named in caught.value.params["detail"]


@pytest.mark.parametrize("start", [b"G", b"GGU", b"GGUF", b"GGUF\x03\x00"])
def test_the_beginning_of_a_download_is_a_cut_file(tmp_path: Path, start: bytes) -> None:
    with pytest.raises(ModelCut):
        read(tmp_path, start)


def test_what_is_no_file_is_missing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    places = [tmp_path / "none", tmp_path, tmp_path / "pipe", tmp_path / "a\0b", Path("/dev/zero")]
    for path in places:
        with pytest.raises(ModelMissing) as caught:
            GgufMetadataReader().read(path)
        assert caught.value.params["detail"]


def test_a_file_whose_reading_fails_is_missing() -> None:
    with pytest.raises(ModelMissing) as caught:
        GgufMetadataReader().read(Path("/proc/self/mem"))
    assert caught.value.params["detail"] == "Input/output error"


def test_a_later_part_of_a_split_model_says_what_to_choose(tmp_path: Path) -> None:
    with pytest.raises(ModelCut) as caught:
        read(tmp_path, gguf({"split.no": Typed(2, 1), "split.count": Typed(2, 3)}))
    assert "first part" in caught.value.params["detail"]


def test_tokenizer_and_named_templates(tmp_path: Path) -> None:
    keys = {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "llama-bpe",
        "tokenizer.chat_template.tool_use": "{{ tools }}",
        "tokenizer.chat_template.odd": 3,
    }
    found = read(tmp_path, gguf({**LLAMA, **keys}))
    assert (found.tokenizer, found.tokenizer_pre) == ("gpt2", "llama-bpe")
    assert found.templates == {"tool_use": "{{ tools }}"}


def test_a_file_without_architecture_is_damaged(tmp_path: Path) -> None:
    with pytest.raises(ModelCut):
        read(tmp_path, gguf({"general.name": "Tiny"}))


def array(kind: int, count: int, content: bytes = b"") -> bytes:
    return text("x") + struct.pack("<IIQ", ARRAY, kind, count) + content


HUGE = 2**64 - 1
HOSTILE = {
    "keys": header(keys=HUGE),
    "keys of zeros": header(bytes(10_000_000), keys=9_999),
    "tensors": header(*(pair(k, v) for k, v in LLAMA.items()), tensors=HUGE),
    "key length": header(struct.pack("<Q", HUGE)),
    "long key": header(struct.pack("<Q", 2_000_000) + bytes(3_000_000)),
    "text length": header(text("x") + struct.pack("<IQ", STRING, 2**63)),
    "unknown type": header(text("x") + struct.pack("<I", 77)),
    "count of texts": header(array(STRING, HUGE)),
    "count of texts by size": header(array(STRING, 2**40, bytes(100_000))),
    "text in a list": header(array(STRING, 2, struct.pack("<Q", HUGE) + bytes(64))),
    "count of numbers": header(array(10, 2**61)),
    "lists in lists": header(array(ARRAY, 4, bytes(64))),
    "unknown type in a list": header(array(77, 1, bytes(64))),
    "empty texts": header(array(STRING, 1_900_000, bytes(8 * 1_900_000)), keys=2),
    "too many texts": header(array(STRING, 2_100_000, bytes(8 * 2_100_000))),
    "many lists": header(*[array(0, 4096, bytes(4096))] * 2000),
    "dimensions": header(
        *(pair(k, v) for k, v in LLAMA.items()), text("t") + struct.pack("<I", HUGE >> 32),
        tensors=1, keys=len(LLAMA),
    ),
    "shape": header(
        *(pair(k, v) for k, v in LLAMA.items()),
        text("t") + struct.pack("<IQQIQ", 2, HUGE, HUGE, F32, 0), tensors=1, keys=len(LLAMA),
    ),
    "many tensors": header(
        *(pair(k, v) for k, v in LLAMA.items()),
        (text("t") + struct.pack("<IQIQ", 1, HUGE, F32, 0)) * 65_536,
        tensors=65_536, keys=len(LLAMA),
    ),
    "alignment": gguf({**LLAMA, "general.alignment": 0}, TENSORS),
    "alignment of text": gguf({**LLAMA, "general.alignment": "x"}, TENSORS),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_header_is_a_damaged_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(ModelCut):
        read(tmp_path, HOSTILE[name])


# A process of its own: neither coverage nor what other tests left counts against the limits.
CHILD = """
import json, pathlib, resource, sys, time
resource.setrlimit(resource.RLIMIT_DATA, (200 << 20, 200 << 20))
from rony_desktop.contract.error import ModelCut
from rony_desktop.model.gguf import GgufMetadataReader
for path in sys.argv[1:]:
    started = time.process_time()
    try:
        outcome = GgufMetadataReader().read(pathlib.Path(path)).vocabulary_size
    except ModelCut:
        outcome = -1
    print(json.dumps([outcome, time.process_time() - started]))
"""


def measured(*paths: Path) -> list[tuple[int, float]]:
    """Read files below 200 MB of memory: their vocabulary, -1 if damaged, and CPU seconds."""
    command = [sys.executable, "-c", CHILD, *map(str, paths)]
    done = subprocess.run(command, check=True, timeout=30, stdout=subprocess.PIPE)
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


def test_hostile_headers_cost_little_time_and_memory(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.gguf" for number in range(len(HOSTILE) + 2)]
    for path, content in zip(paths, HOSTILE.values(), strict=False):
        path.write_bytes(content)
    paths[-2].write_bytes(header(array(STRING, 1_900_000, struct.pack("<Q", 2_000_000)), keys=2))
    paths[-1].write_bytes(header(array(10, 2**32), keys=2))
    for path in paths[-2:]:
        os.truncate(path, 2**40)
    found = measured(*paths)
    assert {outcome for outcome, _ in found} == {-1}
    assert max(seconds for _, seconds in found) < 1.0


def test_a_vocabulary_of_gemmas_size_is_passed_over_quickly(tmp_path: Path) -> None:
    tokens = text("token123") * 262_144
    kept = [pair(key, value) for key, value in LLAMA.items() if key != "tokenizer.ggml.tokens"]
    table = text("tokenizer.ggml.tokens") + struct.pack("<IIQ", ARRAY, STRING, 262_144) + tokens
    path = tmp_path / "model.gguf"
    path.write_bytes(header(table, *kept))
    found = measured(path, path, path)
    assert {size for size, _ in found} == {262_144}
    assert min(seconds for _, seconds in found) < 0.15


@settings(**FEATURES, suppress_health_check=TOGETHER)
@given(st.integers(0, len(WHOLE)), st.binary(max_size=12))
def test_damage_gives_a_typed_error_or_metadata(tmp_path: Path, at: int, bytes_: bytes) -> None:
    damaged = WHOLE[:at] + bytes_ + WHOLE[at + len(bytes_) :]
    try:
        found = read(tmp_path, damaged)
    except ModelFileError:
        return
    assert found.architecture
    assert found.size_bytes == len(damaged)


@settings(**FEATURES, suppress_health_check=TOGETHER)
@given(st.binary(max_size=400))
def test_any_bytes_give_a_typed_error(tmp_path: Path, tail: bytes) -> None:
    with pytest.raises(ModelFileError):
        read(tmp_path, b"GGUF" + struct.pack("<IQQ", 3, 1, 3) + tail)
