"""One message in the transcript: its pieces, parsed only when they are needed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rony_desktop.ui.chat.block import Block, BlockKind, ShownCall, ShownMessage, ShownStatus
from rony_desktop.ui.chat.html import block_text
from rony_desktop.ui.chat.markdown import LIMIT, MessageParser
from rony_desktop.ui.chat.piece import Look, Piece, gap_before, guess_lines, look_of
from rony_desktop.ui.dot import joined
from rony_desktop.ui.token import LINE_HEIGHT, STRIP, TYPE

GAP = 24
_BESIDE_CALL = 12
_BETWEEN_CALLS = 4


class Item:
    """A message with its pieces and their places; knows no widget."""

    def __init__(self, message: ShownMessage) -> None:
        self.message = message
        self.folded = True
        self.height = 0.0
        self.pieces: list[Piece] = []
        self.tops: list[float] = []
        self._body: list[Piece] = []
        self._parser = MessageParser()
        self._ready = False

    @property
    def references(self) -> dict[str, object]:
        """Link definitions met so far."""
        return self._parser.references

    @property
    def ready(self) -> bool:
        """Whether the text has been parsed."""
        return self._ready

    def prepare(self, column: float) -> None:
        """Parse the text, once."""
        if self._ready:
            return
        self._ready = True
        if self.message.role == "assistant":
            self._parser.append(self.message.text)
            if self.message.status is not ShownStatus.STREAMING:
                self._parser.end()
            self._replace(0, self._parser.blocks, column)
        self._frame(column)

    def append(self, text: str, column: float) -> None:
        """Take more text of an answer."""
        self.prepare(column)
        self.message = replace(self.message, text=self.message.text + text)
        change = self._parser.append(text)
        self._replace(change.first, change.blocks, column)
        self._frame(column)

    def think(self, text: str, column: float) -> None:
        """Take more reasoning."""
        self.prepare(column)
        self.message = replace(self.message, thinking=self.message.thinking + text)
        self._frame(column)

    def end(self, message: ShownMessage, column: float) -> None:
        """Take the message as it ended; its text is parsed again only where it differs."""
        self.prepare(column)
        same = message.text == self.message.text
        self.message = message
        if not same:
            self._parser = MessageParser()
            self._parser.append(message.text)
        change = self._parser.end()
        first = change.first if same else 0
        self._replace(first, self._parser.blocks[first:], column)
        self._frame(column)

    def reframe(self, column: float) -> None:
        """Take up a change of fold, call or error."""
        if self._ready:
            self._frame(column)
        else:
            self.estimate(column)

    def estimate(self, column: float) -> None:
        """Guess the height of a message that was not parsed yet."""
        message = self.message
        if self._ready:
            return
        if message.call:
            self.height = STRIP
        elif not (message.text or message.thinking or message.error or _has_foot(message)):
            self.height = 0.0
        else:
            lines = guess_lines(message.text, column * (0.8 if message.role == "user" else 1.0))
            self.height = lines * TYPE["body"] * LINE_HEIGHT / 100 + GAP

    def stack(self) -> None:
        """Sum the heights of the pieces."""
        if not self._ready:
            return
        self.tops = []
        place = 0.0
        before: Piece | None = None
        for piece in self.pieces:
            place += gap_before(piece, before)
            self.tops.append(place)
            place += piece.height
            before = piece
        self.height = place

    def code_text(self, piece: Piece) -> str:
        """The whole code or result that a piece belongs to, its joined parts included."""
        index = self.pieces.index(piece)
        text = piece.block.text or piece.block.source
        for part in self.pieces[index + 1 :]:
            if part.first or part.look is not piece.look:
                break
            text += part.block.text or part.block.source
        return text.rstrip("\n")

    def piece_text(self, piece: Piece) -> str:
        """The words of a piece."""
        if piece.look in {Look.PROSE, Look.QUOTE, Look.CODE}:
            return block_text(piece.block, self.references).rstrip("\n")
        return piece.block.source

    def _replace(self, first: int, blocks: tuple[Block, ...], column: float) -> None:
        old = self._body[first:]
        fresh: list[Piece] = []
        for index, block in enumerate(blocks):
            known = old[index] if index < len(old) else None
            if known is not None and not self.references and _drawn_alike(known.block, block):
                known.block = block
                fresh.append(known)
                continue
            piece = Piece(look_of(block), block, first=not block.joined)
            if known is not None and known.look is piece.look:
                piece.height = known.height  # nothing jumps while the tail is laid out again
            else:
                piece.estimate(column)
            fresh.append(piece)
        self._body[first:] = fresh
        for piece, following in zip(self._body[first:], self._body[first + 1 :], strict=False):
            piece.last = not following.block.joined

    def _frame(self, column: float) -> None:
        old = {(p.look, p.block, p.button): p for p in self.pieces}
        pieces: list[Piece] = []
        for piece in self._wanted():
            known = old.get((piece.look, piece.block, piece.button))
            if known is not None and known.first == piece.first and known.last == piece.last:
                known.head = piece.head
                pieces.append(known)
                continue
            if not piece.height:
                piece.estimate(column)
            pieces.append(piece)
        self.pieces = pieces
        self.stack()

    def _wanted(self) -> Iterator[Piece]:
        message = self.message
        if message.role == "user":
            yield from _plain(Look.USER, message.text)
        elif message.role == "notice" and message.text:
            yield Piece(Look.NOTICE, Block(0, BlockKind.TEXT, message.text))
        if message.call:
            yield from self._call(message.call)
        if message.thinking:
            yield Piece(Look.THOUGHT_HEAD, Block(0, BlockKind.TEXT, ""))
            if not self.folded:
                yield from _plain(Look.THOUGHT, message.thinking)
        yield from self._body
        error = message.error
        if error is not None:
            text = "\n".join(part for part in (error.sentence, error.remedy) if part)
            yield Piece(Look.ERROR, Block(0, BlockKind.TEXT, text), button=error.button)
        if _has_foot(message):
            yield Piece(Look.FOOT, Block(0, BlockKind.TEXT, ""), head=joined(message.foot))

    def _call(self, call: ShownCall) -> Iterator[Piece]:
        yield Piece(Look.CALL_HEAD, Block(0, BlockKind.TEXT, call.words))
        if self.folded:
            return
        for look, text, rest in (
            (Look.CALL_ARGUMENTS, call.arguments, call.left_out),
            (Look.CALL_BODY, call.result, call.rest),
        ):
            if text:
                yield from _plain(look, text)
            if text and rest:
                yield Piece(Look.NOTICE, Block(0, BlockKind.TEXT, rest))


def gap_between(before: Item | None, item: Item) -> int:
    """Pixels between a message and what is shown before it; folded calls stand close together."""
    if before is None:
        return 0
    roles = {before.message.role, item.message.role}
    if roles == {"tool"} and before.folded and not before.message.error:
        return _BETWEEN_CALLS
    return _BESIDE_CALL if roles <= {"tool", "assistant"} and "tool" in roles else GAP


def _has_foot(message: ShownMessage) -> bool:
    """Whether there is a line under a message: what it says, or what copies it."""
    if message.bare or (message.error is not None and not message.text):
        return False
    ended = message.role == "assistant" and message.status is not ShownStatus.STREAMING
    interrupted = message.status is ShownStatus.INTERRUPTED
    return bool(message.foot) or interrupted or (ended and bool(message.text))


def _drawn_alike(before: Block, after: Block) -> bool:
    """Whether two states of a block look the same; only code waits for its end to be coloured."""
    if after.kind is BlockKind.CODE:
        return before == after
    return replace(before, final=after.final) == after


def _plain(look: Look, text: str) -> list[Piece]:
    """Text that is not Markdown, cut so that no document grows without bound."""
    parts: list[str] = []
    while len(text) > LIMIT:
        size = text.rfind("\n", 0, LIMIT) + 1 or text.rfind(" ", 0, LIMIT) + 1 or LIMIT
        parts.append(text[:size])
        text = text[size:]
    parts.append(text)
    return [
        Piece(
            look,
            Block(number, BlockKind.TEXT, part, joined=number > 0),
            first=number == 0,
            last=number == len(parts) - 1,
        )
        for number, part in enumerate(parts)
    ]
