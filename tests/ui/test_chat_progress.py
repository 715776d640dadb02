"""The progress line: words, bar and a height that stays."""

import pytest
from pytestqt.qtbot import QtBot

from rony_desktop.ui.chat.progress import ProgressLine
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui


def test_progress_keeps_its_height(theme: Theme, qtbot: QtBot) -> None:
    line = ProgressLine(theme)
    qtbot.addWidget(line)
    line.resize(800, line.height())
    line.show()
    heights = {line.height()}
    line.set_waiting("Waiting for the engine")
    assert line.text() == "Waiting for the engine"
    heights.add(line.height())
    line.set_prefill(320, 1500)
    assert line.text() == "Reading 320 of 1,500 tokens"
    heights.add(line.height())
    line.set_idle()
    assert line.text() == ""
    heights.add(line.height())
    assert len(heights) == 1


def test_the_same_words_again_change_nothing(
    theme: Theme, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = ProgressLine(theme)
    qtbot.addWidget(line)
    line.show()
    line.set_waiting("Preparing write_file …")
    named: list[str] = []
    monkeypatch.setattr(line, "setAccessibleName", named.append)
    line.set_waiting("Preparing write_file …")
    assert named == []
    line.set_waiting("Preparing write_file … 1 kB")
    assert named == ["Preparing write_file … 1 kB"]
