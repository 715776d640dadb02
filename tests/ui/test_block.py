"""What is shown, as words."""

from __future__ import annotations

from rony_desktop.ui.chat.block import ShownCall, ShownMessage


def test_a_call_is_said_in_one_line_and_its_result_after_it() -> None:
    call = ShownCall("c", "x", "wrench", "Read", "a.md", "1 ms", note="done", result="text")
    assert call.words == "Read a.md · 1 ms · done"
    assert ShownCall("c", "x", "wrench", "Read").words == "Read"
    assert ShownMessage("c", "tool", call=call).words == "Read a.md · 1 ms · done\ntext"


def test_another_message_is_said_as_it_was_written() -> None:
    assert ShownMessage("a", "assistant", "Because.", "Let me see.").words == "Because."
