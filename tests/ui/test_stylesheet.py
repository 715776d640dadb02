"""The style sheet: made of tokens and nothing else."""

import re

from rony_desktop.ui.stylesheet import stylesheet
from rony_desktop.ui.token import DARK, LIGHT, Tokens


def test_style_sheet_holds_only_colours_of_the_tokens() -> None:
    for tokens in (LIGHT, DARK):
        known = {tokens.colour(name).upper() for name in Tokens.__dataclass_fields__}
        found = {
            colour.upper()
            for colour in re.findall(r"#[0-9A-Fa-f]{6}\b", stylesheet(tokens, ("a", "b")))
        }
        assert found <= known
        assert len(found) > 8
