"""Every failure that was seen of a llama-server has one typed cause."""

from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.contract.error import (
    EngineDied,
    EngineFlagUnknown,
    EngineKilled,
    EngineOutOfMemory,
    EnginePortTaken,
    EngineUnsuited,
    ModelArchitecture,
    ModelCut,
    ModelForeign,
    ModelMissing,
    ModelTemplate,
    WorkerUnreachable,
)
from rony_desktop.engine.log import KEPT_LINES, Output, Subject, classify

SUBJECT = Subject(Path("/m/model.gguf"), "llama-server", "127.0.0.1:8080")
LOAD = "0.00.016.610 E llama_model_load: error loading model: "
AFTER = "0.00.016.629 E llama_model_load_from_file_impl: failed to load model"
TABLE = [
    (
        "0.00.004.467 E gguf_init_from_file: failed to open GGUF file '/m/model.gguf'"
        " (No such file or directory)",
        ModelMissing,
        "No such file or directory",
    ),
    (
        "0.00.004.467 E gguf_init_from_file: failed to open GGUF file '/x' (Permission denied)",
        ModelMissing,
        "Permission denied",
    ),
    (
        "0.00.004.733 E gguf_init_from_reader: failed to read magic",
        ModelForeign,
        "failed to read magic",
    ),
    (
        "0.00.004.465 E gguf_init_from_reader: invalid magic characters: 'garb', expected 'GGUF'",
        ModelForeign,
        "invalid magic characters: 'garb', expected 'GGUF'",
    ),
    (
        "0.00.004.409 E gguf_init_from_reader: failed to read key-value pairs",
        ModelCut,
        "failed to read key-value pairs",
    ),
    (
        LOAD + "tensor 'token_embd.weight' data is not within the file bounds, model is corrupted",
        ModelCut,
        "tensor 'token_embd.weight' data is not within the file bounds, model is corrupted",
    ),
    (
        LOAD + "unknown model architecture: 'lloma'",
        ModelArchitecture,
        "unknown model architecture: 'lloma'",
    ),
    (
        LOAD + "check_tensor_dims: tensor 'blk.0.attn_q.weight' not found",
        ModelCut,
        "tensor 'blk.0.attn_q.weight' not found",
    ),
    ("error: invalid argument: --xyz", EngineFlagUnknown, "invalid argument: --xyz"),
    (
        'error while handling argument "-c": stoi',
        EngineFlagUnknown,
        'error while handling argument "-c": stoi',
    ),
    (
        "0.00.188.034 E ggml_aligned_malloc: insufficient memory (attempted to allocate 180.00 MB)",
        EngineOutOfMemory,
        "insufficient memory (attempted to allocate 180.00 MB)",
    ),
    (
        "0.00.188.057 E ggml_backend_cpu_buffer_type_alloc_buffer: failed to allocate buffer of"
        " size 188743680",
        EngineOutOfMemory,
        "failed to allocate buffer of size 188743680",
    ),
    (
        LOAD + "mmap failed: Cannot allocate memory",
        EngineOutOfMemory,
        "mmap failed: Cannot allocate memory",
    ),
    (
        LOAD + "error loading model vocabulary: std::bad_alloc",
        EngineOutOfMemory,
        "error loading model vocabulary: std::bad_alloc",
    ),
    (
        "0.00.009.838 E gguf_read_emplace_helper: encountered bad_alloc error while reading value",
        EngineOutOfMemory,
        "encountered bad_alloc error while reading value",
    ),
    (
        "terminate called after throwing an instance of 'std::bad_alloc'",
        EngineOutOfMemory,
        "terminate called after throwing an instance of 'std::bad_alloc'",
    ),
    (
        "terminate called after throwing an instance of 'std::system_error'",
        EngineOutOfMemory,
        "terminate called after throwing an instance of 'std::system_error'",
    ),
    (
        "0.00.200.000 E CUDA error: out of memory",  # a sample, as the next two
        EngineOutOfMemory,
        "CUDA error: out of memory",
    ),
    (
        "0.00.200.000 E ggml_vulkan: vk::Device::allocateMemory: ErrorOutOfDeviceMemory",
        EngineOutOfMemory,
        "vk::Device::allocateMemory: ErrorOutOfDeviceMemory",
    ),
    (
        "0.00.200.000 E ggml_metal: error: Insufficient Memory (00000008)",
        EngineOutOfMemory,
        "Insufficient Memory (00000008)",
    ),
    ("0.00.200.000 E srv   something: new happened", EngineDied, "new happened"),
]


@pytest.mark.parametrize(("line", "kind", "detail"), TABLE)
def test_first_error_line_decides(line: str, kind: type[EngineDied], detail: str) -> None:
    output = Output()
    for each in ("0.00.002.492 I cmn  common_param: fine", line, AFTER, AFTER):
        output.add(each)
    cause = classify(output, 1, SUBJECT)
    assert type(cause) is kind
    assert cause.params["detail"] == detail
    assert "{" not in str(cause)


@pytest.mark.parametrize(
    ("lines", "detail"),
    [
        (
            (
                "0.00.453.951 E common_chat_templates_init: error: parser: Parser Error: "
                "Expected }} (Got )",
                "0.00.453.952 E common_chat_templates_init: failed to initialize chat template",
            ),
            "Expected }} (Got )",
        ),
        (
            (
                "0.01.673.378 E srv          init: init: chat template parsing error: Unable to "
                "generate parser for this template. Automatic parser generation failed: ",
                "While executing CallExpression at line 1, column 19 in source:",
                "Error: Jinja Exception: never works",
            ),
            "never works",
        ),
        (
            ("0.01.673.378 E srv init: init: chat template parsing error: std::exception",),
            "the engine cannot read it",
        ),
    ],
)
def test_a_template_that_fails_is_told_in_its_own_words(
    lines: tuple[str, ...], detail: str
) -> None:
    output = Output()
    for line in lines:
        output.add(line)
    cause = classify(output, 1, SUBJECT)
    assert type(cause) is ModelTemplate
    assert cause.params == {"path": "model.gguf", "detail": detail}


def test_a_template_that_failed_in_a_chat_is_not_why_an_engine_ended() -> None:
    output = Output()
    output.forget_errors()
    output.add("Error: Jinja Exception: roles must alternate")
    output.add("GGML_ASSERT(n > 0) failed")
    assert classify(output, -6, SUBJECT).params == {"detail": "GGML_ASSERT(n > 0) failed"}


def test_taken_address_names_the_address() -> None:
    output = Output()
    output.add("0.00.006.122 E srv start: couldn't bind HTTP server socket, hostname: h, port: 1")
    cause = classify(output, 1, SUBJECT)
    assert type(cause) is EnginePortTaken
    assert cause.params == {"address": "127.0.0.1:8080"}


@pytest.mark.parametrize("code", [-4, 132, 0xC000001D])
def test_illegal_instruction_names_the_binary(code: int) -> None:
    cause = classify(Output(), code, SUBJECT)
    assert type(cause) is EngineUnsuited
    assert cause.params == {"binary": "llama-server"}


@pytest.mark.parametrize("code", [-9, 137])
def test_killed_whatever_it_wrote(code: int) -> None:
    output = Output()
    output.add("0.00.006.122 E srv start: something earlier")
    assert type(classify(output, code, SUBJECT)) is EngineKilled


def test_silent_end_tells_the_exit_code() -> None:
    assert classify(Output(), 7, SUBJECT).params == {"detail": "exit code 7"}


def test_last_line_stands_in_for_an_error_line() -> None:
    output = Output()
    output.add("0.00.006.122 W srv  main: odd weather")
    assert classify(output, 1, SUBJECT).params == {"detail": "odd weather"}


def test_errors_before_ready_are_forgotten() -> None:
    output = Output()
    output.add("0.00.006.122 E ggml_vulkan: no device")
    output.forget_errors()
    output.add("GGML_ASSERT(n > 0) failed")
    assert classify(output, -6, SUBJECT).params == {"detail": "GGML_ASSERT(n > 0) failed"}


def test_only_the_last_lines_are_kept() -> None:
    output = Output()
    for number in range(KEPT_LINES + 5):
        output.add(str(number))
    assert list(output.tail) == [str(number) for number in range(5, KEPT_LINES + 5)]


def test_a_machine_that_is_not_reached_is_noticed_while_the_engine_goes_on() -> None:
    output = Output()
    output.add("0.00.079.316 W something else")
    assert not output.lost.is_set()
    output.add("0.00.079.346 E Failed to connect to 10.0.0.9:50052")
    assert output.lost.is_set()
    assert output.worker == "10.0.0.9:50052"


def test_a_machine_that_went_away_is_the_cause() -> None:
    output = Output()
    output.add("/src/ggml-rpc.cpp:519: Remote RPC server crashed or returned malformed response")
    output.add("[New LWP 1658]")
    two = ("10.0.0.8:1", "10.0.0.9:2")
    cause = classify(output, -6, Subject(Path("/m/model.gguf"), "x", "y", two))
    assert isinstance(cause, WorkerUnreachable)
    assert cause.params["worker"] == "10.0.0.8:1, 10.0.0.9:2"
