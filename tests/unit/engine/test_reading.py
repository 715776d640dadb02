"""What an engine took is read from its lines: devices apart, the counting pass left out."""

from __future__ import annotations

from rony_desktop.contract.engine import Buffer, Loaded
from rony_desktop.engine.reading import MIB, Reading

# Build 10434 on a processor with AMX, and with a software device; shortened.
COUNTED = """\
0.00.089.708 I load_tensors: offloaded 31/31 layers to GPU
0.00.089.714 I load_tensors:          AMX model buffer size =     0.00 MiB
0.00.090.238 I llama_context: n_ctx                 = 2048
0.00.090.283 I llama_context:        CPU  output buffer size =     0.19 MiB
0.00.090.393 I llama_kv_cache:        CPU KV buffer size =     0.00 MiB
0.00.093.388 I sched_reserve:        CPU compute buffer size =     7.76 MiB
0.00.093.571 I common_memory_breakdown_print: | memory breakdown [MiB] | total   free    self |
0.00.093.589 I common_memory_breakdown_print: |   - Host   |     81 =    28 +      45 +       7  |
0.00.093.590 I common_memory_breakdown_print: |   - AMX    |     95 =    95 +       0 +       0  |
0.00.100.885 I common_params_fit_impl: will leave 24023 >= 1024 MiB of memory, no changes needed
0.00.100.889 I common_fit_params: fitting params to free memory took 0.08 seconds
"""
LOADED = """\
0.00.213.815 I load_tensors: offloaded 31/31 layers to GPU
0.00.213.821 I load_tensors:          AMX model buffer size =    95.50 MiB
0.00.213.822 I load_tensors:   CPU_Mapped model buffer size =    92.25 MiB
0.00.238.488 I llama_context: n_ctx                 = 4096
0.00.238.488 I llama_context: n_ctx_seq             = 1024
0.00.238.554 I llama_context:        CPU  output buffer size =     0.25 MiB
0.00.238.680 I llama_kv_cache:        CPU KV buffer size =    40.00 MiB
0.00.238.690 I llama_kv_cache:        CPU KV buffer size =     5.00 MiB
0.00.238.690 I llama_memory_recurrent:        CPU RS buffer size =     1.50 MiB
0.00.238.696 I llama_kv_cache: size =   45.00 MiB (  2048 cells,  30 layers), K (f16):   22.50 MiB
0.00.284.202 I sched_reserve:        CPU compute buffer size =     7.75 MiB
0.01.062.996 I slot   load_model: id  0 | task -1 | new slot, n_ctx = 1024
"""
DEVICE = """\
0.00.113.374 I load_tensors: offloaded 8/31 layers to GPU
0.00.113.381 I load_tensors:      Vulkan0 model buffer size =    43.00 MiB
0.00.113.382 I load_tensors:  Vulkan_Host model buffer size =    77.00 MiB
"""
DEVICE_COUNTED = """\
0.00.113.374 I load_tensors: offloaded 8/31 layers to GPU
0.00.118.8 I common_memory_breakdown_print: | memory breakdown [MiB]   | total   free    self |
0.00.118.8 I common_memory_breakdown_print: |   - Vulkan0 (llvmpipe (LLVM 15.0.6, 256 bits)) |\
  2048 = 2048 + (  62 =    43 +      10 +       8) +         -62 |
0.00.118.9 I common_memory_breakdown_print: |   - Host  |   113 =    77 +      34 +       2  |
"""


def read(*outputs: str) -> Reading:
    reading = Reading()
    for output in outputs:
        for line in output.splitlines():
            reading.add(line)
    return reading


def test_the_counting_pass_is_a_forecast() -> None:
    reading = read(COUNTED)
    assert reading.counted
    rows = (Buffer("Host", 28 * MIB, 45 * MIB, 7 * MIB), Buffer("AMX", 95 * MIB))
    assert reading.forecast() == Loaded(2048, 0, 31, rows)
    assert reading.loaded() is None


def test_what_was_loaded_leaves_the_counting_pass_out() -> None:
    buffers = (
        Buffer("AMX", model_bytes=95 * MIB + MIB // 2),
        Buffer("CPU_Mapped", model_bytes=92 * MIB + MIB // 4),
        Buffer("CPU", 0, 46 * MIB + MIB // 2, 8 * MIB),
    )
    expected = Loaded(4096, 0, 31, buffers)
    assert read(COUNTED, LOADED).loaded() == read(LOADED).loaded() == expected


def test_layers_are_offloaded_only_where_a_device_holds_some() -> None:
    loaded, forecast = read(DEVICE).loaded(), read(DEVICE_COUNTED).forecast()
    assert loaded is not None
    assert forecast is not None
    assert (loaded.gpu_layers, loaded.all_layers) == (8, 31)
    assert (forecast.gpu_layers, forecast.all_layers) == (8, 31)
    assert forecast.buffers[0] == Buffer("Vulkan0", 43 * MIB, 10 * MIB, 8 * MIB)
    assert [buffer.on_host for buffer in loaded.buffers] == [False, True]


def test_an_engine_that_says_nothing() -> None:
    silent = read("0.00.001.000 I srv init: using 5 threads for HTTP server")
    assert silent.loaded() is silent.forecast() is None
    assert not silent.counted
