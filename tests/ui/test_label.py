"""Labels: plain text, cut and wrapped where there is no room."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from rony_desktop.ui.label import ElidedLabel, plain_label, plain_tip

pytestmark = pytest.mark.ui


def test_plain_labels_never_read_html(qtbot: QtBot) -> None:
    label = plain_label("<b>x</b>", "quiet")
    qtbot.addWidget(label)
    assert label.textFormat() is Qt.TextFormat.PlainText
    assert label.wordWrap()


def test_tips_show_tags_as_text() -> None:
    assert plain_tip("<b>\n&") == "<qt><nobr>&lt;b&gt;<br>&amp;</nobr></qt>"
    assert plain_tip("word " * 20) == f"<qt>{'word ' * 20}</qt>"
    assert plain_tip("") == ""


def test_an_elided_label_may_be_narrow_and_paints_less(qtbot: QtBot) -> None:
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.setText("words " * 40)
    assert label.minimumSizeHint().width() < 40
    label.resize(80, 20)
    narrow = label.grab().toImage()
    label.setText("words " * 80)
    assert label.grab().toImage() == narrow


def test_a_path_breaks_where_a_word_would_be_cut(qtbot: QtBot) -> None:
    path = "/home/somebody/" + "a_long_folder_name" * 10
    label = plain_label(f"{path} is not a model file.")
    qtbot.addWidget(label)
    assert label.text() == f"{path} is not a model file."
    assert label.minimumSizeHint().width() < 400
    label.setText("internationalization is a word")
    assert "\u200b" not in QLabel.text(label)
