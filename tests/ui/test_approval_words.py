"""The words of a question."""

from rony_desktop.contract.approval import ApprovalRequest, AskReason, FileChange, Hunk
from rony_desktop.contract.message import ToolCall
from rony_desktop.ui.approval.words import deed, nothing_to_see, title


def ask(change: FileChange | None) -> ApprovalRequest:
    call = ToolCall("1", "sh\u202eell", "{}")
    return ApprovalRequest("s", call, AskReason.CHANGES, "/f", "walk", "d", change)


def test_titles_are_escaped() -> None:
    assert title(ask(None)) == "Rony wants to run sh\\u202eell"
    assert title(ask(FileChange("a\nb", None, "x"))) == "Rony wants to create a\\nb"
    assert title(ask(FileChange("a\u200bb", "", "x"))) == "Rony wants to change a\\u200bb"


def test_a_change_nobody_can_see_is_told() -> None:
    assert nothing_to_see(ask(None)) == ""
    assert nothing_to_see(ask(FileChange("a", None, "x", (Hunk(0, (), ("x",)),)))) == ""
    assert nothing_to_see(ask(FileChange("a", None, ""))) == "The file will be empty."
    assert nothing_to_see(ask(FileChange("a", "x", "x"))) == "The text of the file stays as it is."


def test_what_is_allowed_has_the_name_it_has_in_the_conversation() -> None:
    assert deed("write_file", "docs/*") == "Write docs/*"
    assert deed("a\u202eb", "x\u200b") == "a\\u202eb x\\u200b"
