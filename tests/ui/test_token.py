"""Tokens: every text can be read on every ground it stands on."""

from itertools import product

import pytest
from PySide6.QtGui import QColor

from rony_desktop.ui.token import DARK, LIGHT, TINT, Tokens

GROUNDS = ("window", "surface", "sunken", "code")
WORDS = ("text", "text2", "text3")
SIGNALS = ("accent", "danger", "warn", "ok", "info")
CODE = tuple(name for name in Tokens.__dataclass_fields__ if name.startswith("code_"))
CHART = tuple(name for name in Tokens.__dataclass_fields__ if name.startswith("chart_"))
PAIRS = [
    *product(WORDS, GROUNDS),
    *product(SIGNALS, ("window", "surface")),
    *product(CODE, ("code",)),
    *product(CHART, ("surface", "on_chart")),
    ("danger", "code"),
    ("ok", "code"),
    ("on_accent", "accent"),
    ("text", "accent_soft"),
    ("text", "line"),
    ("surface", "text"),
]


def luminance(colour: str) -> float:
    """Relative luminance, WCAG 2.2."""
    parts = (QColor(colour).redF(), QColor(colour).greenF(), QColor(colour).blueF())
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    """Contrast of two colours, WCAG 2.2."""
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_every_text_can_be_read_on_its_ground(tokens: Tokens, text: str, ground: str) -> None:
    assert contrast(tokens.colour(text), tokens.colour(ground)) >= 4.5


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("side", ["danger", "ok"])
def test_every_text_of_a_changed_line_can_be_read(tokens: Tokens, side: str) -> None:
    """Words, line number and sign, on the tint that lies under the line."""
    tint, code = QColor(tokens.colour(side)), QColor(tokens.code)
    parts = zip(tint.getRgb()[:3], code.getRgb()[:3], strict=True)
    ground = QColor(*(round(t * TINT / 255 + c * (1 - TINT / 255)) for t, c in parts)).name()
    for text in ("text", "text2", side):
        assert contrast(tokens.colour(text), ground) >= 4.5
