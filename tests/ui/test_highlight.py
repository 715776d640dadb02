"""Colours of code: found, kept, and read in a thread where the text is long."""

import pytest
from pytestqt.qtbot import QtBot

from rony_desktop.ui.chat.highlight import THREAD_LINES, Highlighter, lex

pytestmark = pytest.mark.ui


def test_roles_of_words() -> None:
    text = "class A:  # note\n    def f(self): return 'x' + 1\n"
    spans = {text[start : start + size]: role for start, size, role in lex(text, "python")}
    assert spans["class"] == "code_keyword"
    assert spans["A"] == "code_type"
    assert spans["f"] == "code_name"
    assert spans["# note"] == "code_comment"
    assert spans["1"] == "code_number"
    assert "code_string" in spans.values()


def test_unknown_languages_are_plain() -> None:
    assert lex("x", "no such language") == ()
    assert lex("x", "") == ()


def test_long_text_is_read_in_a_thread(qtbot: QtBot) -> None:
    highlighter = Highlighter()
    text = "x = 1\n" * (THREAD_LINES + 5)
    with qtbot.waitSignal(highlighter.ready, timeout=5000):
        assert highlighter.spans(text, "python") == ()
    assert len(highlighter.spans(text, "python")) >= THREAD_LINES


def test_a_highlighter_may_go_while_a_thread_reads(qtbot: QtBot) -> None:
    from PySide6.QtCore import QThreadPool

    highlighter = Highlighter()
    highlighter.spans("y = 2\n" * 900, "python")
    highlighter.deleteLater()
    del highlighter
    assert QThreadPool.globalInstance().waitForDone(5000)


def test_huge_text_is_plain(qtbot: QtBot) -> None:
    assert Highlighter().spans("x = 1\n" * 3000, "python") == ()
