"""One model of the hub: what of it can be downloaded, and the button that does it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from rony_desktop.ui.approval.escape import visible
from rony_desktop.ui.banner import Banner
from rony_desktop.ui.button import page_button
from rony_desktop.ui.discover.list import LineList
from rony_desktop.ui.discover.state import Opened
from rony_desktop.ui.discover.words import item_line, item_sentence, origin, press_words, titles
from rony_desktop.ui.dress import dress
from rony_desktop.ui.error import words
from rony_desktop.ui.label import ElidedLabel, plain_label, plain_tip
from rony_desktop.ui.model.offer import fit_width
from rony_desktop.ui.room import keep_room
from rony_desktop.ui.speed.meter import Meter
from rony_desktop.ui.theme import Theme

_SENTENCE = 40  # pixels: two lines, so that the list keeps its height


class OpenedPane(QWidget):
    """Arrows choose, Enter presses the button, the left arrow and Esc lead back."""

    chosen = Signal(int)
    pressed = Signal()
    backRequested = Signal()  # noqa: N815 - Qt's naming of signals
    actionRequested = Signal(str)  # noqa: N815 - an Action

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("opened_pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._opened: Opened | None = None
        self._back = page_button(self.tr("Back"), "outline", "opened_back", self)
        self._back.clicked.connect(self.backRequested)
        self._name = ElidedLabel(self, Qt.TextElideMode.ElideMiddle)
        self._name.setObjectName("opened_name")
        self._name.setFont(theme.font("body", strong=True))
        self._origin = ElidedLabel(self)
        self._origin.setObjectName("opened_origin")
        self._origin.setProperty("role", "quiet")
        self._meter = Meter(theme, self)
        keep_room(self._meter)
        self._banner = Banner(theme, self)
        self._banner.actionTriggered.connect(self.actionRequested)
        self._list = LineList(theme, fit_width(theme), self)
        self._list.setObjectName("opened_list")
        self._list.setAccessibleName(self.tr("What can be downloaded"))
        self._list.moved.connect(self.chosen)
        self._list.left.connect(self.backRequested)
        self._list.confirmed.connect(self.pressed)
        self._nothing = plain_label("", "quiet", self)
        self._nothing.setObjectName("opened_nothing")
        self._sentence = plain_label("", "quiet", self)
        self._sentence.setObjectName("opened_sentence")
        self._press = page_button("", "primary", "opened_press", self)
        self._press.clicked.connect(self.pressed)
        self._lay_out()

    def show_opened(self, opened: Opened) -> None:
        """Show a model."""
        before, self._opened = self._opened, opened
        name = visible(opened.model.id)
        self._name.setText(name)
        self._name.setToolTip(plain_tip(name))
        self._origin.setText(origin(opened.model))
        self._origin.setToolTip(plain_tip(self._origin.text()))
        self._meter.set_share(None if opened.reading else 1.0)
        self._meter.setVisible(opened.reading)
        if before is None or opened.failure != before.failure:
            self._show_failure(opened)
        names = titles(opened.items)
        self._list.set_lines([item_line(*each) for each in zip(opened.items, names, strict=True)])
        self._list.set_current(opened.chosen)
        self._show_nothing(opened)
        self._show_foot(opened)

    def set_back(self, shown: bool) -> None:
        """Whether there is something to go back to that is not shown beside it."""
        self._back.setVisible(shown)

    def take_focus(self) -> None:
        """Take the keys."""
        self._list.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leads back where something is hidden, else it is the dialog's.

        Enter is for a button that has the focus, and never for another one of the dialog.
        """
        key = Qt.Key(event.key())
        if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            for button in (self._back, self._press):
                if button.hasFocus():
                    button.click()
            return
        if key is Qt.Key.Key_Escape and self._back.isVisible():
            self.backRequested.emit()
        else:
            super().keyPressEvent(event)

    def _show_failure(self, opened: Opened) -> None:
        if opened.failure is None:
            self._banner.hide_error()
        else:
            self._banner.show_error(words(opened.failure))

    def _show_nothing(self, opened: Opened) -> None:
        text = ""
        if not opened.items and not opened.failure:
            text = self.tr("There is nothing in it that could be downloaded.")
            if opened.reading:
                text = self.tr("Reading what there is of it")
        self._nothing.setText(text)
        self._nothing.setVisible(bool(text))

    def _show_foot(self, opened: Opened) -> None:
        text, look = press_words(opened)
        self._foot.setVisible(bool(text) or opened.reading)
        self._press.setVisible(bool(text))
        self._sentence.setText(item_sentence(opened))
        self._press.setText(text)
        dress(self._press, "look", look)
        names = titles(opened.items)
        of = names[opened.chosen] if opened.item else ""
        self._press.setAccessibleName(f"{text}, {of}")

    def _lay_out(self) -> None:
        names = QVBoxLayout()
        names.setSpacing(4)
        names.addWidget(self._name)
        names.addWidget(self._origin)
        head = QHBoxLayout()
        head.setContentsMargins(24, 0, 24, 0)
        head.setSpacing(12)
        head.addWidget(self._back, 0, Qt.AlignmentFlag.AlignVCenter)
        head.addLayout(names, 1)
        lists = QVBoxLayout()
        lists.setContentsMargins(12, 0, 12, 0)
        lists.setSpacing(0)
        self._nothing.setContentsMargins(12, 8, 12, 8)
        lists.addWidget(self._nothing)
        lists.addWidget(self._list, 1)
        line = QHBoxLayout()
        line.setContentsMargins(24, 0, 24, 0)
        line.addWidget(self._meter)
        self._foot = QFrame(self)
        self._foot.setObjectName("opened_foot")
        foot = QHBoxLayout(self._foot)
        foot.setContentsMargins(24, 8, 24, 8)
        foot.setSpacing(16)
        self._sentence.setMinimumHeight(_SENTENCE)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignVCenter)
        foot.addWidget(self._sentence, 1)
        foot.addWidget(self._press, 0, Qt.AlignmentFlag.AlignVCenter)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 16, 0, 0)
        column.setSpacing(8)
        column.addLayout(head)
        column.addLayout(line)
        column.addWidget(self._banner)
        column.addLayout(lists, 1)
        column.addWidget(self._foot)
