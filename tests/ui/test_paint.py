"""Painting: every look leaves its mark, in the theme's colours; links answer to clicks."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from rony_desktop.ui.card import ErrorText
from rony_desktop.ui.chat.block import ShownMessage, ShownStatus
from rony_desktop.ui.chat.transcript import TranscriptView
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui


@pytest.fixture
def view(theme: Theme, qtbot: QtBot) -> TranscriptView:
    view = TranscriptView(theme)
    qtbot.addWidget(view)
    view.resize(800, 400)
    view.show()
    return view


def colours(image: QImage) -> set[str]:
    step = range(0, image.width())
    return {image.pixelColor(x, y).name() for x in step for y in range(image.height())}


@pytest.mark.parametrize(
    ("message", "role"),
    [
        (ShownMessage("m", "user", "words"), "sunken"),
        (ShownMessage("m", "assistant", "```\nx\n```"), "code"),
        (ShownMessage("m", "assistant", "> quote"), "line"),
        (ShownMessage("m", "assistant", "---"), "line"),
        (ShownMessage("m", "assistant", "| a |\n|---|\n| b |"), "line"),
        (ShownMessage("m", "assistant", "x", error=ErrorText("Cause.")), "danger"),
        (ShownMessage("m", "assistant", "x", status=ShownStatus.INTERRUPTED), "warn"),
        (ShownMessage("m", "assistant", "[x](https://example.org)"), "accent"),
    ],
)
def test_every_look_uses_its_colour(
    view: TranscriptView, theme: Theme, message: ShownMessage, role: str
) -> None:
    view.open([message])
    found = colours(view.viewport().grab().toImage())
    assert QColor(theme.colour(role)).name() in found
    assert theme.colour("surface").name() in found


def link_place(view: TranscriptView) -> QPoint:
    box = view._box(view._seen()[0])
    return QPoint(round(box.left()) + 8, round(box.center().y()))


def test_a_click_on_a_link_says_where_it_leads(view: TranscriptView, qtbot: QtBot) -> None:
    view.open([ShownMessage("m", "assistant", "[label](https://example.org/a)")])
    with qtbot.waitSignal(view.linkActivated) as caught:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=link_place(view))
    assert caught.args == ["https://example.org/a"]


def test_other_schemes_are_no_links(view: TranscriptView, qtbot: QtBot) -> None:
    view.open([ShownMessage("m", "assistant", "[label](javascript:alert(1)) [b](file:///x)")])
    with qtbot.assertNotEmitted(view.linkActivated):
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=link_place(view))


def test_a_bubble_is_as_wide_as_its_words(view: TranscriptView) -> None:
    view.open([ShownMessage("a", "user", "Hi"), ShownMessage("b", "user", "word " * 100)])
    short, long = (view._box(placed) for placed in view._seen())
    assert short.width() < 80
    assert 500 < long.width() <= 760 * 0.8 + 1
    assert short.right() == long.right()


@pytest.mark.parametrize(
    "text",
    [
        "\u202e\u202d" * 500,
        "\x00\x1b[31m",
        "a" * 200_000,
        "> " * 3000,
        "|" * 9000,
        "\u0627\u0644" * 800,
        "\U0001f600" * 900,
    ],
    ids=["bidi", "control", "word", "nested", "bars", "arabic", "emoji"],
)
def test_hostile_words_are_painted_without_harm(view: TranscriptView, text: str) -> None:
    view.open([ShownMessage("u", "user", text), ShownMessage("a", "assistant", text, text)])
    assert not view.viewport().grab().isNull()
