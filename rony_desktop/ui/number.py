"""Numbers as people read them, in the way of the user's language."""

from __future__ import annotations

from PySide6.QtCore import QLocale

from rony_desktop.ui.token import THIN

_GIB = 1 << 30
_MIB = 1 << 20
_MINUTE_S = 60
_HOUR_S = 3600
_THOUSAND = 1000
_TEN = 10
_WHOLE = 100  # thousands and tokens a second from here on need no decimal


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


def rough_count(count: int) -> str:
    """How many of something in few characters: 950, 12k, 1.2M."""
    for unit, letter in ((1_000_000, "M"), (_THOUSAND, "k")):
        if round(count / unit, 1) >= 1:
            whole = count / unit >= _TEN
            return f"{round(count / unit) if whole else decimal_text(count / unit)}{letter}"
    return str(count)


def rate_text(tokens_per_s: float, *, rough: bool = False) -> str:
    """Tokens a second: 26.4 tok/s; rough: an estimate, whose decimals from 10 on say nothing."""
    whole = tokens_per_s >= (_TEN if rough else _WHOLE)
    number = count_text(round(tokens_per_s)) if whole else decimal_text(tokens_per_s)
    return f"{number}{THIN}tok/s"


def share_text(share: float) -> str:
    """A part of one, never 100 % before all of it is there: 42 %."""
    return f"{count_text(int(share * 100))}{THIN}%"


def size_text(count: int, of: int = 0) -> str:
    """Bytes in GB, few in MB: 4.9 GB, 310 MB; of: what they are a part of, in the unit of that."""
    if round(max(count, of) / _MIB) >= _GIB // _MIB:
        return gigabytes(count)
    return f"{count_text(max(1, round(count / _MIB)) if count else 0)}{THIN}MB"


def gigabytes(count: int, decimals: int = 1) -> str:
    """Bytes as GB, a thin space before the unit: 4.9 GB; what is there never reads as nothing."""
    least = 10.0**-decimals
    if 0 < count / _GIB < least / 2:
        return f"<{_locale().toString(least, 'f', decimals)}{THIN}GB"
    return f"{_locale().toString(count / _GIB, 'f', decimals)}{THIN}GB"


def bytes_per_second(rate: float) -> str:
    """How fast bytes come: 420 kB/s, 3.8 MB/s, 38 MB/s."""
    if rate < _MIB:
        return f"{round(rate / 1024)}{THIN}kB/s"
    amount = rate / _MIB
    number = count_text(round(amount)) if amount >= _TEN else decimal_text(amount)
    return f"{number}{THIN}MB/s"


def duration_text(seconds: float) -> str:
    """How long something takes, as exactly as one can know: 40 s, 3 min, 1 h 20 min."""
    if seconds < _MINUTE_S:
        return f"{max(1, round(seconds))}{THIN}s"
    minutes = round(seconds / _MINUTE_S)
    if seconds < _HOUR_S:
        return f"{minutes}{THIN}min"
    hours, minutes = divmod(minutes, _MINUTE_S)
    words = f"{count_text(hours)}{THIN}h"
    return f"{words} {minutes}{THIN}min" if minutes else words


def _locale() -> QLocale:
    locale = QLocale()
    if locale.language() is QLocale.Language.C:
        return QLocale(QLocale.Language.English)
    return locale
