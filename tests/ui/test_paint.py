"""Painting: every look leaves its mark, in the theme's colours; links answer to clicks."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from rony_desktop.ui.card import ErrorText
from rony_desktop.ui.chat.block import CallState, ShownCall, ShownMessage, ShownStatus
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


@pytest.mark.parametrize(
    ("state", "role"),
    [
        (CallState.QUEUED, "text3"),
        (CallState.WAITING, "accent"),
        (CallState.RUNNING, "accent"),
        (CallState.DONE, "text3"),
        (CallState.FAILED, "danger"),
        (CallState.REFUSED, "text3"),
        (CallState.NOT_RUN, "text3"),
        (CallState.INTERRUPTED, "warn"),
    ],
)
def test_a_call_shows_its_state_by_sign_and_colour(
    view: TranscriptView, theme: Theme, state: CallState, role: str
) -> None:
    call = ShownCall("c", "x", "wrench", "Run", state=state)
    view.open([ShownMessage("c", "tool", call=call)])
    box = view._box(view._seen()[0]).toRect()
    sign = view.viewport().grab().toImage().copy(box.left(), box.top(), 20, 28)
    wanted = theme.colour(role)
    near = (QColor(name) for name in colours(sign))
    assert any(
        abs(found.red() - wanted.red()) + abs(found.green() - wanted.green()) < 24 for found in near
    )


def test_no_two_signs_of_trouble_are_alike(view: TranscriptView) -> None:
    signs = set()
    for state in (CallState.DONE, *list(CallState)[4:]):
        call = ShownCall("c", "x", "wrench", "Run", state=state)
        view.open([ShownMessage("c", "tool", call=call)])
        box = view._box(view._seen()[0]).toRect()
        sign = view.viewport().grab().toImage().copy(box.left(), box.top(), 20, 28)
        signs.add(bytes(sign.constBits()))
    assert len(signs) == 5


def test_an_open_result_is_code_on_its_own_ground(view: TranscriptView, theme: Theme) -> None:
    call = ShownCall("c", "x", "wrench", "Run", result="<b>text</b>", rest="Not all.")
    view.open([ShownMessage("c", "tool", call=call)])
    view._column.items[0].folded = False
    view._column.items[0].reframe(view._column.width)
    view._arrange()
    found = colours(view.viewport().grab().toImage())
    assert QColor(theme.colour("code")).name() in found
