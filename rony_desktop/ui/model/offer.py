"""Rows of the model picker: a file, how it fits, how fast it should be; and their painting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from rony_desktop.contract.error import Failure
from rony_desktop.contract.launch import Fit, Offer
from rony_desktop.contract.model import ModelRef
from rony_desktop.ui.dot import joined, spoken
from rony_desktop.ui.error import words
from rony_desktop.ui.icon import icon
from rony_desktop.ui.label import plain_tip
from rony_desktop.ui.number import gigabytes, short_count
from rony_desktop.ui.plan.verdict import LOOKS
from rony_desktop.ui.plan.words import fit_word
from rony_desktop.ui.speed.words import rate_range
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.token import RADIUS, THIN

ROW = 52
_SIGN = 16
_AnyIndex = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class OfferRow:
    """A model, and what is known of it so far; current says that it is in use."""

    model: ModelRef
    current: bool
    offer: Offer | None = None

    @property
    def detail(self) -> str:
        """Quantization, size, context and predicted speed, as far as they are known."""
        tr, offer = QCoreApplication.translate, self.offer
        if offer and offer.failure:
            return words(_by_name(offer.failure)).sentence
        size = self.model.size_bytes
        parts = [offer.quant if offer else "", gigabytes(size) if size else ""]
        if offer and offer.n_ctx:
            parts.append(tr("picker", "context {0}").format(short_count(offer.n_ctx)))
        if offer and offer.decode:
            parts.append(f"\u2248{THIN}{rate_range(offer.decode)}")
        return joined(parts)

    @property
    def spoken(self) -> str:
        """All of it for a screen reader."""
        tr = QCoreApplication.translate
        parts = [self.model.id, spoken(self.detail)]
        parts.append(fit_word(self.offer.fit) if self.offer else "")
        parts.append(tr("picker", "in use") if self.current else "")
        return ", ".join(part for part in parts if part)


class OfferModel(QAbstractListModel):
    """Models that a filter leaves; offers come in one by one."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: list[OfferRow] = []
        self._rows: list[OfferRow] = []
        self._filter = ""

    def set_models(self, models: Sequence[ModelRef], current: str) -> None:
        """Show these, nothing known of them yet."""
        self._all = [OfferRow(model, current in (model.id, str(model.path))) for model in models]
        self.set_filter(self._filter)

    def set_filter(self, text: str) -> None:
        """Leave the models whose name has every one of these words."""
        self.beginResetModel()
        self._filter = text
        wanted = text.casefold().split()
        self._rows = [
            row for row in self._all if all(word in row.model.id.casefold() for word in wanted)
        ]
        self.endResetModel()

    def take(self, offer: Offer) -> None:
        """Take in what is known of a model now."""
        for rows in (self._all, self._rows):
            for number, row in enumerate(rows):
                if row.model == offer.model:
                    rows[number] = OfferRow(row.model, row.current, offer)
                    if rows is self._rows:
                        index = self.index(number)
                        self.dataChanged.emit(index, index)

    def row(self, index: _AnyIndex) -> OfferRow:
        """The row of an index."""
        return self._rows[index.row()]

    def current_row(self) -> int:
        """The row of the model in use, else the first."""
        return next((n for n, row in enumerate(self._rows) if row.current), 0)

    def rowCount(self, parent: _AnyIndex | None = None) -> int:
        """Models that are left."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: _AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The name; what is spoken; the whole of it as a tooltip."""
        row = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.model.id
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row.spoken
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(f"{row.model.id}\n{row.detail}")
        return None


def fit_width(theme: Theme) -> int:
    """Room for the widest word of a fit with its sign: names do not move when one comes."""
    font = QFontMetrics(theme.font("small", strong=True))
    return _SIGN + 6 + max(font.horizontalAdvance(fit_word(fit)) for fit in Fit) + 2


class OfferDelegate(QStyledItemDelegate):
    """Paints a row from the tokens: name over details, the fit at the right."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._fit_width = fit_width(theme)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: _AnyIndex) -> QSize:
        """One height for all, whatever is known."""
        return QSize(0, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _AnyIndex) -> None:
        """Paint one row."""
        model = index.model()
        if not isinstance(model, OfferModel):
            return
        row = model.row(index)
        rect: QRect = option.rect.adjusted(8, 2, -8, -2)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = self._ground(option.state)
        if ground:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colour(ground))
            painter.drawRoundedRect(rect, RADIUS["control"], RADIUS["control"])
        if row.current:
            sign = QRect(rect.left() + 8, rect.center().y() - 7, _SIGN, _SIGN)
            icon(self._theme, "check", "accent").paint(painter, sign)
        self._words(painter, rect.adjusted(32, 0, -8, 0), row)
        painter.restore()

    def _ground(self, state: QStyle.StateFlag) -> str:
        if state & QStyle.StateFlag.State_Selected:
            return "accent_soft"
        hover = "line" if self._theme.tokens.dark else "sunken"
        return hover if state & QStyle.StateFlag.State_MouseOver else ""

    def _words(self, painter: QPainter, rect: QRect, row: OfferRow) -> None:
        failed = bool(row.offer and row.offer.failure)
        room = rect.width() - self._fit_width - 16
        name_font = self._theme.font("label", strong=True)
        painter.setFont(name_font)
        painter.setPen(self._theme.colour("text2" if failed else "text"))
        name = QFontMetrics(name_font).elidedText(row.model.id, Qt.TextElideMode.ElideMiddle, room)
        line = QRect(rect.left(), rect.top() + 5, room, 20)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(line, left, name)
        detail_font = self._theme.figures()
        painter.setFont(detail_font)
        painter.setPen(self._theme.colour("text2"))
        wide = rect.width() if failed else room
        detail = QFontMetrics(detail_font).elidedText(row.detail, Qt.TextElideMode.ElideRight, wide)
        painter.drawText(QRect(rect.left(), rect.top() + 25, wide, 18), left, detail)
        if row.offer:
            self._fit(painter, rect, row.offer.fit)

    def _fit(self, painter: QPainter, rect: QRect, fit: Fit) -> None:
        sign, role = LOOKS[fit]
        wide = self._fit_width
        place = QRect(rect.right() - wide + 1, rect.top() + 5, wide, 20)
        at = QRect(place.left(), place.center().y() - 7, _SIGN, _SIGN)
        icon(self._theme, sign, role).paint(painter, at)
        painter.setFont(self._theme.font("small", strong=True))
        painter.setPen(self._theme.colour(role))
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place.adjusted(_SIGN + 6, 0, 0, 0), left, fit_word(fit))


def _by_name(failure: Failure) -> Failure:
    """The failure with the file's name for its path: a row has no room for folders."""
    params = dict(failure.params)
    if path := params.get("path"):
        params["path"] = PurePath(path).name
    return replace(failure, params=params)
