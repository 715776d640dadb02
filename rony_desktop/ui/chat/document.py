"""Text documents of blocks: one small QTextDocument each, dressed from the tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QFont,
    QImage,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextLayout,
    QTextOption,
)

from rony_desktop.ui.chat.block import Block
from rony_desktop.ui.chat.highlight import Highlighter
from rony_desktop.ui.chat.html import block_html, visible
from rony_desktop.ui.theme import Theme, families
from rony_desktop.ui.token import CODE_LINE_HEIGHT, LINE_HEIGHT, TYPE

_MINIMUM = QTextBlockFormat.LineHeightTypes.MinimumHeight.value
_SHEET = """
p, li, td, th {{ line-height: {height}px; }}
p {{ margin: 0 0 8px 0; }} ul, ol {{ margin: 0; }} li {{ margin: 0 0 4px 0; }}
blockquote {{ margin: 0 0 0 16px; }}
p.h1, p.h2 {{ font-size: {title}px; font-weight: 600; }}
p.h3 {{ font-weight: 600; }}
a {{ color: {accent}; text-decoration: underline; }}
code, pre {{ font-family: "{mono}"; font-size: {small}px; background-color: {code}; }}
pre {{ margin: 4px 0; white-space: pre-wrap; }}
table {{ border-collapse: collapse; border: 0; }}
th, td {{
  border-bottom: 1px solid {line}; padding: 6px 24px 10px 0;
}}
th {{ font-weight: 600; }}
table.wide th, table.wide td {{ font-size: {small}px; padding: 6px 8px 10px 0; }}
"""


class SafeDocument(QTextDocument):
    """A document that loads nothing, wherever a name points."""

    def loadResource(self, _type: int, _name: object) -> object:
        """Answer with one clear pixel: an empty answer would make Qt open the file itself."""
        image = QImage(1, 1, QImage.Format.Format_ARGB32)
        image.fill(Qt.GlobalColor.transparent)
        return image


class DocumentMaker:
    """Makes the documents of blocks for a theme."""

    def __init__(self, theme: Theme, highlighter: Highlighter) -> None:
        self._theme = theme
        self._highlighter = highlighter

    def prose(self, block: Block, references: Mapping[str, Any]) -> QTextDocument:
        """A block of Markdown."""
        document = self._empty(self._theme.font("body"))
        tokens = self._theme.tokens
        document.setDefaultStyleSheet(
            _SHEET.format(
                height=TYPE["body"] * LINE_HEIGHT / 100,
                line=tokens.line,
                title=TYPE["title"],
                small=TYPE["mono"],
                accent=tokens.accent,
                code=tokens.code,
                mono=families()[1],
            )
        )
        document.setHtml(block_html(block, references))
        _end_tight(document)
        return document

    def code(self, block: Block) -> QTextDocument:
        """Code or anything else in the code font, coloured once it is final."""
        text = visible((block.text or block.source).rstrip("\n"))
        document = self._empty(self._theme.font(mono=True))
        document.setPlainText(text)
        _space_lines(document, CODE_LINE_HEIGHT)
        if block.final:
            self._colour(document, text, block.language)
        return document

    def plain(self, text: str, size: str = "body", *, lead: bool = False) -> QTextDocument:
        """Text as it is, never read as Markdown or HTML; lead makes its first line strong."""
        document = self._empty(self._theme.font(size))
        document.setPlainText(text)
        if lead:
            cursor = QTextCursor(document)
            cursor.movePosition(cursor.MoveOperation.EndOfBlock, cursor.MoveMode.KeepAnchor)
            form = QTextCharFormat()
            form.setFontWeight(QFont.Weight.DemiBold)
            cursor.mergeCharFormat(form)
        _space_lines(document, LINE_HEIGHT)
        return document

    def _empty(self, font: QFont) -> QTextDocument:
        document = SafeDocument()
        document.setUndoRedoEnabled(False)
        document.setDocumentMargin(0)
        document.setIndentWidth(24)
        document.setDefaultFont(font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        option.setTabStopDistance(32)
        document.setDefaultTextOption(option)
        return document

    def _colour(self, document: QTextDocument, text: str, language: str) -> None:
        spans = iter(self._highlighter.spans(text, language))
        span = next(spans, None)
        block = document.begin()
        while span and block.isValid():
            ranges = []
            first, last = block.position(), block.position() + block.length() - 1
            while span and span[0] <= last:
                start, stop = max(span[0], first), min(span[0] + span[1], last)
                ranges.append(self._range(start - first, stop - start, span[2]))
                if span[0] + span[1] > last:
                    break
                span = next(spans, None)
            block.layout().setFormats(ranges)
            block = block.next()
        document.markContentsDirty(0, document.characterCount())

    def _range(self, start: int, length: int, role: str) -> QTextLayout.FormatRange:
        found = QTextLayout.FormatRange()
        found.start, found.length = start, length
        form = QTextCharFormat()
        form.setForeground(self._theme.colour(role))
        if role == "code_comment":
            form.setFontItalic(True)
        found.format = form
        return found


def _space_lines(document: QTextDocument, percent: int) -> None:
    """Give every line its height."""
    form = QTextBlockFormat()
    form.setLineHeight(document.defaultFont().pixelSize() * percent / 100, _MINIMUM)
    cursor = QTextCursor(document)
    cursor.select(QTextCursor.SelectionType.Document)
    cursor.mergeBlockFormat(form)


def _end_tight(document: QTextDocument) -> None:
    """Take the margin below the last line away: distances between blocks are the view's."""
    form = QTextBlockFormat()
    form.setBottomMargin(0)
    cursor = QTextCursor(document)
    cursor.movePosition(QTextCursor.MoveOperation.End)
    cursor.mergeBlockFormat(form)
