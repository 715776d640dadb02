"""Numbers as people read them, in the way of the user's language."""

from __future__ import annotations

from PySide6.QtCore import QLocale

from rony_desktop.ui.token import THIN

_GIB = 1 << 30
_THOUSAND = 1000
_WHOLE = 100  # thousands from here on need no decimal


def count_text(count: int) -> str:
    """A whole number with its groups: 1,500."""
    return _locale().toString(count)


def decimal_text(value: float) -> str:
    """A number with one decimal: 42.1."""
    return _locale().toString(float(value), "f", 1)


def short_count(count: int) -> str:
    """A number of tokens in few characters: 950, 1.2k, 8k; contexts are powers of two."""
    if count < _THOUSAND:
        return str(count)
    if count % 1024 == 0:
        return f"{count // 1024}k"
    thousands = count / _THOUSAND
    if thousands >= _WHOLE or count % _THOUSAND == 0:
        return f"{round(thousands)}k"
    return f"{decimal_text(thousands)}k"


def gigabytes(count: int, decimals: int = 1) -> str:
    """Bytes as GB, a thin space before the unit: 4.9 GB; what is there never reads as nothing."""
    least = 10.0**-decimals
    if 0 < count / _GIB < least / 2:
        return f"<{_locale().toString(least, 'f', decimals)}{THIN}GB"
    return f"{_locale().toString(count / _GIB, 'f', decimals)}{THIN}GB"


def _locale() -> QLocale:
    locale = QLocale()
    if locale.language() is QLocale.Language.C:
        return QLocale(QLocale.Language.English)
    return locale
