"""Which button a piece of the transcript has, where it lies and what it is called."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QRect
from PySide6.QtGui import QFontMetrics

from rony_desktop.ui.chat.block import ShownCall, ShownMessage, ShownStatus
from rony_desktop.ui.chat.column import Placed
from rony_desktop.ui.chat.line import call_line
from rony_desktop.ui.chat.overlay import Control, ControlKind
from rony_desktop.ui.chat.piece import MONO, Look
from rony_desktop.ui.label import plain_tip
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.token import STRIP

tr = QCoreApplication.translate


def control(theme: Theme, placed: Placed, box: QRect) -> Control | None:
    """The button of a piece that lies in this box, None where it has none."""
    piece, message = placed.piece, placed.item.message
    if piece.look in MONO and piece.first:
        return _copy_block(theme, placed, box)
    if piece.look is Look.THOUGHT_HEAD:
        return _fold(theme, placed, box)
    if piece.look is Look.CALL_HEAD and message.call and message.call.opens:
        return _call(theme, placed, box, message.call)
    if piece.look is Look.FOOT and message.role == "assistant" and message.text:
        tip = tr("transcript", "Copy this answer")
        place = QRect(box.left() - 5, box.top(), 26, 24)
        return _made(placed, ControlKind.COPY_MESSAGE, place, ("", tip, tip), "copy")
    if piece.look is Look.ERROR and piece.button:
        width = _width(theme, piece.button) + 48
        place = QRect(box.left() + 44, box.bottom() - 47, width, 34)
        return _made(placed, ControlKind.ERROR, place, (piece.button, piece.button, ""))
    return None


def _copy_block(theme: Theme, placed: Placed, box: QRect) -> Control:
    room = _width(theme, tr("transcript", "Copied")) + 36
    place = QRect(box.right() - room - 7, box.top() + 3, room, STRIP - 6)
    name = tr("transcript", "Copy code")
    tip = tr("transcript", "Copy this code; Ctrl+Shift+C copies the newest")
    if placed.piece.look is Look.CALL_BODY:
        name = tip = tr("transcript", "Copy this result")
    elif placed.piece.look is Look.CALL_ARGUMENTS:
        name = tip = tr("transcript", "Copy these arguments")
    words = tr("transcript", "Copy")
    return _made(placed, ControlKind.COPY_CODE, place, (words, name, tip), "copy")


def _fold(theme: Theme, placed: Placed, box: QRect) -> Control:
    words = _thought(placed.item.message)
    place = QRect(box.left() - 6, box.top(), _width(theme, words) + 40, 28)
    texts = (words, words, tr("transcript", "Show or hide the reasoning"))
    return _made(placed, ControlKind.FOLD, place, texts, _chevron(placed))


def _call(theme: Theme, placed: Placed, box: QRect, call: ShownCall) -> Control:
    right = call_line(theme, call, box.width()).right
    place = QRect(box.left() - 4, box.top(), right + 28, box.height())
    name = call.words
    if not placed.item.folded:
        name = tr("transcript", "{0}, opened").format(name)
    texts = ("", name, call_tip(placed))
    return _made(placed, ControlKind.CALL, place, texts, _chevron(placed))


def call_tip(placed: Placed) -> str:
    """The whole line of a call, for where it does not fit."""
    call = placed.item.message.call
    return plain_tip(call.words) if call else ""


def _made(
    placed: Placed, kind: ControlKind, place: QRect, texts: tuple[str, str, str], icon: str = ""
) -> Control:
    """texts: what is on it, its name for those who listen, its tooltip."""
    text, name, tip = texts
    key = (placed.index, placed.number, kind)
    return Control(key, kind, place, text, name, icon, tip, item=placed.item, piece=placed.piece)


def _thought(message: ShownMessage) -> str:
    if message.status is ShownStatus.STREAMING and not message.text:
        return tr("transcript", "Thinking")
    return tr("transcript", "Reasoning")


def _chevron(placed: Placed) -> str:
    return "chevron-right" if placed.item.folded else "chevron-down"


def _width(theme: Theme, words: str) -> int:
    return QFontMetrics(theme.font("label")).horizontalAdvance(words)
