"""The transcript: messages that stream in, that can be read, selected and copied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QContextMenuEvent,
    QGuiApplication,
    QHelpEvent,
    QHideEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QShortcut,
    QShowEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from rony_desktop.ui.card import ErrorText
from rony_desktop.ui.chat.block import CallState, ShownCall, ShownMessage, ShownStatus
from rony_desktop.ui.chat.control import call_tip, control
from rony_desktop.ui.chat.gate import FrameGate
from rony_desktop.ui.chat.html import allowed
from rony_desktop.ui.chat.item import Item
from rony_desktop.ui.chat.overlay import Control, ControlKind, Overlay
from rony_desktop.ui.chat.piece import Look
from rony_desktop.ui.chat.scroll import ColumnView
from rony_desktop.ui.chat.selection import Spot
from rony_desktop.ui.theme import Theme

_SPOKEN = 20  # newest messages a screen reader is told of
_ENDED = {CallState.DONE, CallState.FAILED, CallState.REFUSED}


class TranscriptView(ColumnView):
    """The conversation; one message at a time may stream."""

    linkActivated = Signal(str)  # noqa: N815 - Qt's naming of signals
    actionTriggered = Signal(str, str)  # noqa: N815

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("transcript")
        self.setAccessibleName(self.tr("Conversation"))
        self._text: list[str] = []
        self._thinking: list[str] = []
        self._live: Item | None = None
        self._late = False
        self._moved = False
        self._overlay = Overlay(theme, self.viewport())
        self._overlay.pressed.connect(self._press)
        theme.changed.connect(self._renew_buttons)
        self._gate = FrameGate(self)
        self._gate.set_open(False)
        self._gate.due.connect(self._draw)
        self.viewport().setMouseTracking(True)
        shortcut = QShortcut(QKeySequence("Ctrl+Shift+C"), self)
        shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
        shortcut.activated.connect(self.copy_last_code)

    def open(self, messages: Sequence[ShownMessage]) -> None:
        """Show these messages instead of what was shown, from the end."""
        self.clear()
        self._column.reset(list(messages))
        self._arrange()
        self._describe()

    def clear(self) -> None:
        """Show nothing."""
        self._text.clear()
        self._thinking.clear()
        self._live = None
        self._selection.clear()
        self._overlay.clear()
        self._slot.take()
        self._column.reset([])
        self._follow = True
        self._arrange()
        self._describe()

    def add(self, message: ShownMessage) -> None:
        """Put a finished message at the end; one's own brings the end into sight."""
        self._column.add(Item(message))
        if message.role == "user":
            self._follow = True
        self._arrange()
        self._describe()

    def add_call(self, call: ShownCall) -> None:
        """Put a tool call at the end; many at once are laid out together."""
        self._column.add(Item(ShownMessage(call.id, "tool", call=call)))
        self._move()

    def call(self, id: str) -> ShownCall | None:
        """The call of this id as it is shown."""
        item = self._item(id)
        return item.message.call if item else None

    def set_call(self, call: ShownCall) -> None:
        """Show a call as it stands now; one that is not shown changes nothing."""
        item = self._item(call.id)
        if item is None or item.message.call == call:
            return
        item.message = replace(item.message, call=call)
        item.reframe(self._column.width)
        self._move()
        if call.result and call.state in _ENDED:
            self._say(call.words)

    def begin(self, message: ShownMessage) -> None:
        """Put a message at the end whose text will come by append."""
        self._live = Item(replace(message, status=ShownStatus.STREAMING))
        self._live.prepare(self._column.width)
        self._column.add(self._live)
        self._arrange()

    def append(self, text: str) -> None:
        """Add text to the message that streams; shown at most once per frame."""
        self._text.append(text)
        self._gate.request()

    def append_thinking(self, text: str) -> None:
        """Add reasoning to the message that streams."""
        self._thinking.append(text)
        self._gate.request()

    def end(self, message: ShownMessage) -> None:
        """Say how the streamed message ended: its whole text, foot, status and error."""
        self._take()
        item = self._live if self._live is not None else self._item(message.id)
        self._live = None
        if item is None or item.message.id != message.id:
            self.add(message)
            return
        item.end(message, self._column.width)
        self._column.restack()
        self._arrange()
        self._describe()
        if not message.bare:
            self._say(message.error.sentence if message.error else self.tr("Answer finished"))

    def _say(self, words: str) -> None:
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))

    def show_error(self, message_id: str, error: ErrorText) -> None:
        """Put an error card under a message; one of its own where there is no such message."""
        item = self._item(message_id)
        if item is None:
            self.add(ShownMessage(message_id, "notice", error=error, status=ShownStatus.FAILED))
            return
        item.message = replace(item.message, error=error)
        item.reframe(self._column.width)
        self._column.restack()
        self._arrange()

    def scroll_to(self, fraction: float) -> None:
        """Scroll to a share of the whole height: 0 is the start, 1 the end."""
        bar = self.verticalScrollBar()
        bar.setValue(round(fraction * bar.maximum()))

    def plain_text(self) -> str:
        """Every word of the conversation as it was written."""
        self._take()
        parts: list[str] = []
        for item in self._column.items:
            message = item.message
            error = message.error
            parts += [message.thinking, message.words]
            parts += [error.sentence, error.remedy] if error is not None else []
        return "\n\n".join(part for part in parts if part)

    def copy_last_code(self) -> bool:
        """Put the newest code block on the clipboard; tell whether there was one."""
        self._take()
        for item in reversed(self._column.items):
            item.prepare(self._column.width)
            for piece in reversed(item.pieces):
                if piece.look is Look.CODE and piece.first:
                    QGuiApplication.clipboard().setText(item.code_text(piece))
                    return True
        return False

    def _item(self, message_id: str) -> Item | None:
        items = reversed(self._column.items)
        return next((item for item in items if item.message.id == message_id), None)

    def _take(self) -> None:
        """Move what has come in since the last frame into the message."""
        text, thinking = "".join(self._text), "".join(self._thinking)
        self._text.clear()
        self._thinking.clear()
        if self._live is None:
            return
        if thinking:
            self._live.think(thinking, self._column.width)
        if text:
            self._live.append(text, self._column.width)
        if text or thinking:
            self._column.restack()

    def _move(self) -> None:
        """Lay calls out again, at most once per frame."""
        self._moved = True
        self._gate.request()

    def _draw(self) -> None:
        self._late = self.window().isMinimized()
        if self._late:
            return  # the show event that follows draws it
        self._take()
        if self._moved:
            self._moved = False
            self._column.restack()
            self._describe()
        self._arrange()

    def _describe(self) -> None:
        names = {
            "user": self.tr("You"),
            "assistant": self.tr("Answer"),
            "tool": self.tr("Tool"),
            "notice": self.tr("Note"),
        }
        lines = [
            f"{names[item.message.role]}: {item.message.words[:500]}"
            for item in self._column.items[-_SPOKEN:]
            if item.message.words
        ]
        self.setAccessibleDescription("\n".join(lines))

    def _arranged(self) -> None:
        found = (control(self._theme, p, self._box(p).toRect()) for p in self._seen())
        self._overlay.show([one for one in found if one])
        self._slot.order(self._overlay.last)

    def _press(self, control: Control) -> None:
        item = control.item
        match control.kind:
            case ControlKind.COPY_CODE:
                QGuiApplication.clipboard().setText(item.code_text(control.piece))
                self._overlay.confirm(control, self.tr("Copied"))
            case ControlKind.COPY_MESSAGE:
                QGuiApplication.clipboard().setText(item.message.text)
                self._overlay.confirm(control, self.tr("Copied"))
            case ControlKind.FOLD | ControlKind.CALL:
                item.folded = not item.folded
                self._follow = False
                item.reframe(self._column.width)
                self._column.restack()
                self._arrange()
            case ControlKind.ERROR:
                action = item.message.error.action if item.message.error else ""
                self.actionTriggered.emit(item.message.id, action)

    def _renew_buttons(self) -> None:
        self._overlay.clear()
        self._arranged()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy and select all; the rest scrolls."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self._select_all()
        else:
            super().keyPressEvent(event)

    def _copy(self) -> None:
        if self._selection.active:
            QGuiApplication.clipboard().setText(self._selection.text())

    def _select_all(self) -> None:
        self._selection.select_all()
        self.viewport().update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what the keys do."""
        menu = QMenu(self)
        menu.setObjectName("transcript_menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction(self.tr("Copy"), self._copy)
        copy.setEnabled(self._selection.active)
        menu.addAction(self.tr("Select all"), self._select_all)
        menu.popup(event.globalPos())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Select a word."""
        hit = self._hit(event.position().toPoint())
        if hit is None:
            return
        placed, character = hit
        if not placed.piece.has_text:
            return
        cursor = QTextCursor(self._column.document(placed.item, placed.piece))
        cursor.setPosition(character)
        cursor.select(QTextCursor.SelectionType.WordUnderCursor)
        self._selection.start(Spot(placed.index, placed.number, cursor.selectionStart()))
        self._selection.extend(Spot(placed.index, placed.number, cursor.selectionEnd()))
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a selection."""
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        spot = self._spot(event.position().toPoint())
        if spot is None:
            self._selection.clear()
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._selection.extend(spot)
        else:
            self._selection.start(spot)
        self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Extend the selection, or show what lies under the pointer."""
        point = event.position().toPoint()
        if event.buttons() & Qt.MouseButton.LeftButton:
            spot = self._spot(point)
            if spot is not None:
                self._selection.extend(spot)
            self._pull(point)
            self.viewport().update()
            return
        over = self._hit(point)
        shape = Qt.CursorShape.ArrowCursor
        if over and over[0].piece.has_text and self._box(over[0]).contains(event.position()):
            shape = Qt.CursorShape.IBeamCursor
        if self._link(point):
            shape = Qt.CursorShape.PointingHandCursor
        self.viewport().setCursor(shape)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open a link where nothing was selected."""
        link = self._link(event.position().toPoint())
        if link and not self._selection.active and allowed(link):
            self.linkActivated.emit(link)

    def _pull(self, point: QPoint) -> None:
        """Scroll while the mouse selects beyond an edge."""
        beyond = min(0, point.y()) + max(0, point.y() - self.viewport().height())
        if beyond:
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + beyond // 2)

    def _spot(self, point: QPoint) -> Spot | None:
        hit = self._hit(point)
        return None if hit is None else Spot(hit[0].index, hit[0].number, hit[1])

    def viewportEvent(self, event: QEvent) -> bool:
        """Show where a link leads or the whole of a call's line, as plain text."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            link = self._link(event.pos())
            words = f"<qt>{escape(link)}</qt>" if link else self._line_at(event.pos())
            QToolTip.showText(event.globalPos(), words, self)
            return True
        return super().viewportEvent(event)

    def _line_at(self, point: QPoint) -> str:
        hit = self._hit(point)
        inside = hit is not None and self._box(hit[0]).contains(QPointF(point))
        return call_tip(hit[0]) if hit and inside and hit[0].piece.look is Look.CALL_HEAD else ""

    def showEvent(self, event: QShowEvent) -> None:
        """Draw again, from what came in meanwhile."""
        super().showEvent(event)
        self._gate.set_open(True)
        if self._late:
            self._late = False
            self._gate.request()

    def hideEvent(self, event: QHideEvent) -> None:
        """Draw nothing while nobody looks."""
        super().hideEvent(event)
        self._gate.set_open(False)
