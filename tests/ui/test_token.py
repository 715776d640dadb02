"""Tokens: every text can be read on every ground it stands on."""

from itertools import product

import pytest
from PySide6.QtGui import QColor

from rony_desktop.ui.token import DARK, LIGHT, Tokens

GROUNDS = ("window", "surface", "sunken", "code")
WORDS = ("text", "text2", "text3")
SIGNALS = ("accent", "danger", "warn", "ok", "info")
CODE = tuple(name for name in Tokens.__dataclass_fields__ if name.startswith("code_"))
PAIRS = [
    *product(WORDS, GROUNDS),
    *product(SIGNALS, ("window", "surface")),
    *product(CODE, ("code",)),
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


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_every_text_can_be_read_on_its_ground(tokens: Tokens, text: str, ground: str) -> None:
    light, dark = sorted(
        (luminance(tokens.colour(text)), luminance(tokens.colour(ground))), reverse=True
    )
    assert (light + 0.05) / (dark + 0.05) >= 4.5
