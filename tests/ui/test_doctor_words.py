"""Every finding has its words, and a report is fit for others."""

from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.app.check import Check, Found
from rony_desktop.contract.error import Failure
from rony_desktop.ui.doctor.words import report_text, status_word, title, words

PARAMS = {
    "held_bytes": str(2 << 30),
    "version": "1", "python": "3", "system": "S", "data": "/d", "config": "/c", "path": "/p",
    "free_bytes": str(3 << 29), "total_bytes": str(8 << 30), "size_bytes": str(98 << 20),
    "folder": "/f", "mode": "openat2", "cores": "4", "processor": "P", "missing": "AVX2",
    "engine": "E", "build": "b1", "device": "Vulkan0", "gpu": "G", "model": "M",
    "architecture": "llama", "quant": "Q4_1", "context": "8192",
}  # fmt: skip


@pytest.mark.parametrize("found", Found)
def test_every_finding_has_a_sentence_without_gaps(found: Found) -> None:
    sentence, remedy = words(Check("x", "ok", found, PARAMS, Failure("engine.stopped")))
    assert sentence
    assert "{" not in sentence + remedy
    assert "_bytes" not in sentence
    assert not sentence.startswith("Something went wrong")


def test_sizes_have_units_and_causes_their_words() -> None:
    held = {**PARAMS, "held_bytes": str(2 << 30)}
    assert words(Check("memory", "ok", Found.MEMORY_HELD, held))[0].endswith(
        "models hold 2.0\u2009GB"
    )
    assert words(Check("memory", "ok", Found.MEMORY, PARAMS))[0] == (
        "1.5\u2009GB of 8.0\u2009GB free"
    )
    assert "98\u2009MB, context 8,192" in words(Check("model", "ok", Found.MODEL, PARAMS))[0]
    assert "held in their folder by the kernel" in words(Check("x", "ok", Found.SANDBOX, PARAMS))[0]
    spare = Check("engine", "warning", Found.ENGINE_SPARE, PARAMS, Failure("engine.stopped"))
    assert words(spare) == (
        "E: The engine is not running.",
        "Nothing to do where another engine works.",
    )


def test_an_error_has_its_own_words() -> None:
    check = Check.of("model", Failure("model.not_chat", {"path": "a.gguf"}))
    assert words(check)[0].startswith("a.gguf is not a chat model")


def test_names_and_states_are_words() -> None:
    assert title("gpu") == "Graphics"
    assert title("news") == "news"
    assert [status_word(each) for each in ("ok", "warning", "failed")] == [
        "OK", "Warning", "Failed",
    ]  # fmt: skip


def test_a_report_has_a_line_for_each_and_no_home() -> None:
    folder = {"free_bytes": str(1 << 30), "folder": f"{Path.home()}/data"}
    checks = (
        Check("disk", "warning", Found.DISK_SHORT, folder),
        Check("gpu", "ok", Found.GPU_NONE),
    )
    assert report_text(checks).splitlines() == [
        "Warning: Disk: Only 1.0\u2009GB free for ~/data",
        "    Free some space; chats need a little, models a lot.",
        "OK: Graphics: None that could be used; models run on the processor",
    ]
