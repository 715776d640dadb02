"""The design tokens: every colour, size and radius of the window, light and dark."""

from __future__ import annotations

from dataclasses import dataclass

TYPE = {"small": 12, "mono": 13, "label": 13, "body": 15, "title": 18, "display": 24}
RADIUS = {"control": 6, "card": 10, "composer": 14}
COLUMN = 760
HEADER = 44
STATUS = 24
STRIP = 28
SIDEBAR = 260
LINE_HEIGHT = 150  # percent, in the transcript
CODE_LINE_HEIGHT = 135  # percent
FRAME_MS = 33
TINT = 28  # of 255: how much colour lies under a changed line
THIN = "\u2009"  # the space between a number and its unit


@dataclass(frozen=True, slots=True)
class Tokens:
    """Colours of one theme, as #RRGGBB.

    code_* colour the words of a programming language, chart_* the parts of a memory.
    """

    dark: bool
    window: str
    surface: str
    sunken: str
    code: str
    line: str
    text: str
    text2: str
    text3: str
    accent: str
    on_accent: str
    accent_soft: str
    danger: str
    warn: str
    ok: str
    info: str
    code_keyword: str
    code_string: str
    code_number: str
    code_name: str
    code_type: str
    code_comment: str
    chart_weights: str
    chart_context: str
    chart_compute: str
    chart_cache: str
    on_chart: str

    def colour(self, role: str) -> str:
        """The colour of a role by its name."""
        value = getattr(self, role)
        return str(value)


LIGHT = Tokens(
    dark=False,
    window="#F7F6F3",
    surface="#FFFFFF",
    sunken="#EFEDE8",
    code="#F3F1EC",
    line="#DEDBD3",
    text="#1F1E1B",
    text2="#5C5950",
    text3="#6B675D",
    accent="#0B6E63",
    on_accent="#FFFFFF",
    accent_soft="#DDF0EC",
    danger="#B3261E",
    warn="#8A5A00",
    ok="#1A7038",
    info="#1F5FBF",
    code_keyword="#8B2C7A",
    code_string="#2D6A2E",
    code_number="#9A4A00",
    code_name="#1D5AA8",
    code_type="#0B6E63",
    code_comment="#6B675D",
    chart_weights="#3A6593",
    chart_context="#8C6212",
    chart_compute="#86477A",
    chart_cache="#5A7230",
    on_chart="#FFFFFF",
)

DARK = Tokens(
    dark=True,
    window="#171716",
    surface="#1E1E1C",
    sunken="#121211",
    code="#151514",
    line="#383733",
    text="#ECEAE4",
    text2="#B3AFA4",
    text3="#A09C91",
    accent="#4FC2B0",
    on_accent="#06231F",
    accent_soft="#173733",
    danger="#FF8A80",
    warn="#E7B35A",
    ok="#7CCB92",
    info="#8AB4F8",
    code_keyword="#D79BD0",
    code_string="#9CCB8A",
    code_number="#E5A873",
    code_name="#8FB9EE",
    code_type="#6CCABA",
    code_comment="#A09C91",
    chart_weights="#86ABDB",
    chart_context="#D3AC5C",
    chart_compute="#CB98C2",
    chart_cache="#A3BC76",
    on_chart="#171716",
)
