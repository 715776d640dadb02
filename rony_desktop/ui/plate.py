"""The button of the header that names the model in use and opens the choice of another."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QIcon, QPaintEvent
from PySide6.QtWidgets import (
    QPushButton,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QWidget,
)

from rony_desktop.ui.badge import Badge
from rony_desktop.ui.button import StateLook, state_icon
from rony_desktop.ui.dot import joined
from rony_desktop.ui.icon import icon
from rony_desktop.ui.label import plain_tip
from rony_desktop.ui.theme import Theme

LEAST, MOST = 200, 380  # pixels
SHARE = 0.42  # of the header's width
BADGES = {
    Badge.GPU: ("check", "ok"),
    Badge.PARTLY: ("info", "info"),
    Badge.SHORT: ("triangle-alert", "warn"),
    Badge.LOWERED: ("arrow-down", "warn"),
    Badge.ON_CPU: ("circle-alert", "warn"),
}
_EDGE, _DOT, _SIGN, _GAP = 12, 12, 16, 8
_NAME = 88  # pixels a name keeps before the word of a badge gives way to its sign
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class ModelButton(QPushButton):
    """State as a dot, name, quantization, and what should be noticed; as wide in every state."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._state: StateLook = "off"
        self._name = self._quant = ""
        self._badge = Badge.NONE
        self.setObjectName("model_button")
        self.setProperty("look", "outline")
        self.setFixedHeight(32)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.fit(0)
        theme.changed.connect(self.update)
        self.show_model("", "busy")

    def show_model(
        self, name: str, state: StateLook, quant: str = "", badge: Badge = Badge.NONE
    ) -> None:
        """Show the model, the state it is in, and what should be noticed of how it runs."""
        self._state, self._badge = state, badge
        waits = self.tr("Loading") if state == "busy" else self.tr("Choose a model")
        self._name = name or waits
        # Most files name their quantization themselves.
        self._quant = quant if name and quant.casefold() not in name.casefold() else ""
        parts = (self._name, self._quant, self._word())
        words = joined(parts)
        self.setText(words.replace("&", "&&"))
        self.setToolTip(plain_tip(self.tr("{0} (Ctrl+L)").format(words)))
        self.setAccessibleName(self.tr("Model: {0}").format(words))
        self.update()

    def fit(self, width: int) -> None:
        """Take its share of a header that is so wide."""
        self.setFixedWidth(min(MOST, max(LEAST, round(width * SHARE))))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the parts; only the name is ever cut."""
        painter = QStylePainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text, option.icon = "", QIcon()
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        room = self.rect().adjusted(_EDGE, 0, -_EDGE, 0)
        middle = room.center().y()
        dot = QRect(room.left(), middle - _DOT // 2 + 1, _DOT, _DOT)
        state_icon(self._theme, self._state).paint(painter, dot)
        room.setLeft(dot.right() + 5)
        down = QRect(room.right() - _SIGN + 3, middle - _SIGN // 2 + 1, _SIGN, _SIGN)
        icon(self._theme, "chevron-down", "text3").paint(painter, down)
        room.setRight(down.left() - 5)
        if self._badge is not Badge.NONE:
            self._paint_badge(painter, room)
        self._paint_name(painter, room)

    def _paint_badge(self, painter: QStylePainter, room: QRect) -> None:
        """Draw sign and word at the right of room, which is less then."""
        sign, role = BADGES[self._badge]
        font = self._theme.font("small", strong=True)
        wide = QFontMetrics(font).horizontalAdvance(self._word())
        least = min(_NAME, self.fontMetrics().horizontalAdvance(self._name))
        if room.width() - _SIGN - 4 - wide - _GAP >= least:
            painter.setFont(font)
            painter.setPen(self._theme.colour(role))
            place = QRect(room.right() - wide + 1, room.top(), wide + 1, room.height())
            painter.drawText(place, _LEFT, self._word())
            room.setRight(place.left() - 5)
        place = QRect(room.right() - _SIGN + 1, room.center().y() - 7, _SIGN, _SIGN)
        icon(self._theme, sign, role).paint(painter, place)
        room.setRight(place.left() - _GAP)

    def _paint_name(self, painter: QStylePainter, room: QRect) -> None:
        name, font = self.fontMetrics(), QFont(self.font())
        painter.setFont(font)
        painter.setPen(self._theme.colour("text"))
        cut = name.elidedText(self._name, Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(room, _LEFT, cut)
        rest = room.adjusted(name.horizontalAdvance(cut) + _GAP, 0, 0, 0)
        if name.horizontalAdvance(self._quant) <= rest.width():
            painter.setPen(self._theme.colour("text2"))
            painter.drawText(rest, _LEFT, self._quant)

    def _word(self) -> str:
        return {
            Badge.NONE: "",
            Badge.GPU: self.tr("on the GPU"),
            Badge.PARTLY: self.tr("partly on the GPU"),
            Badge.SHORT: self.tr("short context"),
            Badge.LOWERED: self.tr("with less memory"),
            Badge.ON_CPU: self.tr("running on the CPU"),
        }[self._badge]
