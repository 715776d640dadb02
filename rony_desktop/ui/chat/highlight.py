"""Colours for code: words of a language named by their role, found by Pygments."""

from __future__ import annotations

import sys
from collections import OrderedDict

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal

MAX_LINES = 2_000
THREAD_LINES = 50
KEPT = 500

Span = tuple[int, int, str]
"""Start, length and token name of a colour, counted in characters of the whole text."""

_ROLES = (
    ("Keyword.Type", "code_type"),
    ("Keyword", "code_keyword"),
    ("Operator.Word", "code_keyword"),
    ("Literal.String", "code_string"),
    ("Literal.Number", "code_number"),
    ("Name.Function", "code_name"),
    ("Name.Class", "code_type"),
    ("Name.Builtin", "code_name"),
    ("Name.Tag", "code_keyword"),
    ("Name.Attribute", "code_name"),
    ("Name.Decorator", "code_name"),
    ("Comment", "code_comment"),
    ("Generic.Deleted", "danger"),
    ("Generic.Inserted", "ok"),
)


def lex(text: str, language: str) -> tuple[Span, ...]:
    """The coloured spans of a text; none for a language that is not known."""
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return ()
    spans: list[Span] = []
    place = 0
    for kind, value in lexer.get_tokens(text):
        role = _role(str(kind).removeprefix("Token."))
        if role and value.strip():
            spans.append((place, len(value), role))
        place += len(value)
    return tuple(spans)


def _role(kind: str) -> str:
    return next((role for prefix, role in _ROLES if kind.startswith(prefix)), "")


class Highlighter(QObject):
    """Spans by text and language, kept; long texts are read in a thread, then ready is sent."""

    ready = Signal()
    lexed = Signal(tuple, tuple)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._known: OrderedDict[tuple[str, str], tuple[Span, ...]] = OrderedDict()
        self._asked: set[tuple[str, str]] = set()
        self.lexed.connect(self._keep)

    def spans(self, text: str, language: str) -> tuple[Span, ...]:
        """What is known of a text now; nothing where a thread still reads it."""
        key = (text, language)
        if not language or text.count("\n") > MAX_LINES:
            return ()
        if key in self._known:
            self._known.move_to_end(key)
            return self._known[key]
        # The first import of Pygments takes longer than a frame.
        if text.count("\n") <= THREAD_LINES and "pygments.lexers" in sys.modules:
            self._put(key, lex(text, language))
            return self._known[key]
        if key not in self._asked:
            self._asked.add(key)
            QThreadPool.globalInstance().start(_Lexing(self, key))
        return ()

    def _keep(self, key: tuple[str, str], spans: tuple[Span, ...]) -> None:
        self._asked.discard(key)
        self._put(key, spans)
        self.ready.emit()

    def _put(self, key: tuple[str, str], spans: tuple[Span, ...]) -> None:
        self._known[key] = spans
        if len(self._known) > KEPT:
            self._known.popitem(last=False)


class _Lexing(QRunnable):
    def __init__(self, highlighter: Highlighter, key: tuple[str, str]) -> None:
        super().__init__()
        self._highlighter = highlighter
        self._key = key

    def run(self) -> None:
        spans = lex(*self._key)
        # The window may be gone by now: its signal object then refuses.
        try:
            self._highlighter.lexed.emit(self._key, spans)
        except RuntimeError:
            return
