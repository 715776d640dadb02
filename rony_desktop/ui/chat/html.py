"""Blocks as HTML that is safe to show: no raw tags, no pictures, three kinds of links."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from rony_desktop.ui.chat.block import Block
from rony_desktop.ui.chat.markdown import NESTING

SCHEMES = frozenset({"http", "https", "mailto"})
_MANY_COLUMNS = 6
_HOST = re.compile(r"(?:https?://)?(?:[^/\s@]*@)?((?:[\w-]+\.)+\w{2,})")
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]"
)


def block_html(block: Block, references: Mapping[str, Any]) -> str:
    """The HTML of one block; references are the link definitions of its message."""
    html = _parser().render(block.head + block.source, {"references": dict(references)})
    return str(html).strip()  # a last line break would be shown as a space


def block_text(block: Block, references: Mapping[str, Any]) -> str:
    """The words of one block, without its Markdown."""
    if block.text:
        return block.text
    parts: list[str] = []
    for token in _parser().parse(block.source, {"references": dict(references)}):
        if token.type == "inline":
            parts.append(_words(token.children or ()))
        elif token.type in {"fence", "code_block"}:
            parts.append(token.content.rstrip("\n"))
    return "\n".join(parts)


def visible(text: str) -> str:
    """The text with every character that hides or turns text written out as its code."""
    return _HIDDEN.sub(lambda found: _escape(found[0]), text)


def allowed(address: str) -> bool:
    """Whether a link may be opened at all."""
    try:
        return urlsplit(address.strip()).scheme.lower() in SCHEMES
    except ValueError:
        return False


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004


def _words(tokens: Sequence[Token]) -> str:
    out: list[str] = []
    for token in tokens:
        if token.type in {"softbreak", "hardbreak"}:
            out.append("\n")
        else:
            out.append(token.content)
    return "".join(out)


@cache
def _parser() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False, "maxNesting": NESTING})
    markdown.enable(["table", "strikethrough"])
    markdown.validateLink = allowed  # type: ignore[assignment,method-assign]
    markdown.add_render_rule("image", _image)
    markdown.add_render_rule("link_close", _link_close)
    markdown.add_render_rule("softbreak", _softbreak)
    markdown.add_render_rule("table_open", _table_open)
    markdown.add_render_rule("th_open", _cell_open)
    markdown.add_render_rule("td_open", _cell_open)
    markdown.add_render_rule("heading_open", _heading_open)
    markdown.add_render_rule("heading_close", _heading_close)
    markdown.add_render_rule("fence", _fence)
    markdown.add_render_rule("code_block", _fence)
    return markdown


def _softbreak(*_: object) -> str:
    """A single line break stays one: models and people mean it."""
    return "<br />"


def _table_open(_self: RendererHTML, tokens: Sequence[Token], idx: int, *_: object) -> str:
    """A table over the whole column; one of many columns is set smaller."""
    columns = 0
    for token in tokens[idx:]:
        columns += token.type == "th_open"
        if token.type == "thead_close":
            break
    kind = ' class="wide"' if columns > _MANY_COLUMNS else ""
    return f'<table width="100%" cellspacing="0"{kind}>'


def _cell_open(_self: RendererHTML, tokens: Sequence[Token], idx: int, *_: object) -> str:
    """A cell's side as an attribute: its style would push out the style sheet's."""
    side = str(tokens[idx].attrGet("style") or "text-align:left").removeprefix("text-align:")
    return f'<{tokens[idx].tag} align="{side}">'


def _heading_open(_self: RendererHTML, tokens: Sequence[Token], idx: int, *_: object) -> str:
    """A paragraph of a class: Qt scales real headings whatever their style says."""
    return f'<p class="{tokens[idx].tag}">'


def _heading_close(*_: object) -> str:
    return "</p>\n"


def _fence(
    _self: RendererHTML, tokens: Sequence[Token], idx: int, *_: object
) -> str:  # a fence inside a list or quote
    return f"<pre>{escapeHtml(visible(tokens[idx].content.rstrip(chr(10))))}</pre>\n"


def _image(_self: RendererHTML, tokens: Sequence[Token], idx: int, *_: object) -> str:
    """A picture becomes a link: nothing is loaded that the user did not ask for."""
    token = tokens[idx]
    address = str(token.attrGet("src") or "")
    words = token.content or address
    if not allowed(address):
        return escapeHtml(words)
    return f'<a href="{escapeHtml(address)}">{escapeHtml(words)}</a>{_host_note(words, address)}'


def _link_close(
    _self: RendererHTML, tokens: Sequence[Token], idx: int, _options: OptionsDict, _env: object
) -> str:
    start = idx
    while start and tokens[start].type != "link_open":
        start -= 1
    address = str(tokens[start].attrGet("href") or "")
    return f"</a>{_host_note(_words(tokens[start:idx]), address)}"


def _host_note(label: str, address: str) -> str:
    """The real host beside a label that names another one."""
    claimed = _HOST.search(unquote(label))
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        host = ""
    if not host or claimed is None or claimed[1].lower() == host:
        return ""
    return f" ({escapeHtml(visible(host))})"
