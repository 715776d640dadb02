"""The gguf package writes a file and reads it beside our reader."""

from __future__ import annotations

from pathlib import Path

import gguf as oracle
import numpy

from rony_desktop.model.gguf import GgufMetadataReader


def test_a_file_of_the_gguf_package_is_read_as_it_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    writer = oracle.GGUFWriter(path, "qwen3")
    writer.add_block_count(3)
    writer.add_context_length(4096)
    writer.add_head_count(8)
    writer.add_head_count_kv([2, 0, 2])
    writer.add_token_list(["a", "b"])
    writer.add_chat_template(
        [{"name": "default", "template": "x"}, {"name": "rag", "template": "y"}]
    )
    for name, shape, kind in (("blk.0.attn_q.weight", (4, 64), "Q8_0"), ("odd", (3, 5), "F32")):
        number = oracle.GGMLQuantizationType[kind]
        values = numpy.zeros(shape, numpy.float32)
        data = oracle.quantize(values, number) if kind != "F32" else values
        writer.add_tensor(name, data, raw_dtype=number)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    found = GgufMetadataReader().read(path)
    wanted = oracle.GGUFReader(path)
    assert [(t.name, t.shape, t.kind, t.size_bytes) for t in found.tensors] == [
        (t.name, tuple(t.shape.tolist()), t.tensor_type.value, t.n_bytes) for t in wanted.tensors
    ]
    assert found.lists["qwen3.attention.head_count_kv"] == (2, 0, 2)
    assert (found.context_length, found.block_count, found.vocabulary_size) == (4096, 3, 2)
    assert (found.chat_template, found.templates) == ("x", {"rag": "y"})
