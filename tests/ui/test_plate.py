"""The model's button: its width is the same in every state, and only the name is ever cut."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from rony_desktop.ui.badge import Badge
from rony_desktop.ui.button import StateLook
from rony_desktop.ui.plate import BADGES, LEAST, MOST, ModelButton
from rony_desktop.ui.theme import Theme, ThemeMode

pytestmark = pytest.mark.ui
STATES: tuple[StateLook, ...] = ("off", "busy", "ready", "error")


@pytest.fixture
def button(theme: Theme, qtbot: QtBot) -> ModelButton:
    button = ModelButton(theme)
    qtbot.addWidget(button)
    button.fit(1000)
    button.show()
    return button


def picture(button: ModelButton) -> QImage:
    return button.grab().toImage()


def colours(image: QImage) -> set[str]:
    return {
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())
    }


def test_it_is_as_wide_in_every_state(button: ModelButton) -> None:
    width = button.width()
    for state in STATES:
        for badge in Badge:
            for name in ("", "tiny", "A model with a long name " * 8):
                button.show_model(name, state, "Q4_1", badge)
                assert button.minimumWidth() == button.maximumWidth() == width


@pytest.mark.parametrize(("header", "width"), [(200, LEAST), (720, 302), (1600, MOST)])
def test_its_width_is_a_share_of_the_header(button: ModelButton, header: int, width: int) -> None:
    button.fit(header)
    assert button.width() == width


def test_name_quantization_and_badge_are_spoken_whole(button: ModelButton) -> None:
    long = "Q&A " * 40 + "end"
    button.show_model(long, "ready", "Q4_1", Badge.ON_CPU)
    assert button.accessibleName() == f"Model: {long} · Q4_1 · running on the CPU"
    assert "running on the CPU (Ctrl+L)" in button.toolTip()


def test_a_name_that_has_its_quantization_says_it_once(button: ModelButton) -> None:
    button.show_model("Tiny-q4_1", "ready", "Q4_1")
    assert button.text() == "Tiny-q4_1"
    button.show_model("", "off", "Q4_1")
    assert button.text() == "Choose a model"


@pytest.mark.parametrize("mode", [ThemeMode.LIGHT, ThemeMode.DARK])
@pytest.mark.parametrize("badge", list(BADGES))
def test_a_badge_is_drawn_in_its_colour(
    button: ModelButton, theme: Theme, badge: Badge, mode: ThemeMode
) -> None:
    theme.set_mode(mode)
    button.show_model("tiny", "off", "Q4_1", badge)
    assert theme.colour(BADGES[badge][1]).name() in colours(picture(button))


def test_every_state_and_badge_looks_different(button: ModelButton) -> None:
    seen: list[QImage] = []
    for state, badge in [*((state, Badge.NONE) for state in STATES), *(("off", b) for b in BADGES)]:
        button.show_model("tiny", state, "Q4_1", badge)
        image = picture(button)
        assert image not in seen
        seen.append(image)


def test_where_there_is_little_room_the_sign_of_a_badge_stays(
    button: ModelButton, theme: Theme
) -> None:
    button.fit(0)
    button.show_model("Qwen3-8B-Instruct-2507", "off", "Q4_K_M", Badge.ON_CPU)
    image, hue = picture(button), theme.colour("warn").hueF()
    tinted = []
    for x in range(image.width()):
        column = [image.pixelColor(x, y) for y in range(image.height())]
        if any(abs(c.hueF() - hue) < 0.02 and c.saturationF() > 0.5 for c in column):
            tinted.append(x)
    assert max(tinted) - min(tinted) < 16
