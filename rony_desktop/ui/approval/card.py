"""The question before something changes: what, where, exactly how, and the answer."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rony_desktop.contract.approval import ApprovalRequest, AskReason, GrantScope
from rony_desktop.ui.approval.action import Actions
from rony_desktop.ui.approval.choice import Choice
from rony_desktop.ui.approval.diff import CHOICES, DiffView
from rony_desktop.ui.approval.escape import visible
from rony_desktop.ui.approval.guard import Guard, Quiet
from rony_desktop.ui.approval.text import ExactText
from rony_desktop.ui.approval.words import deed, nothing_to_see, title
from rony_desktop.ui.button import push_button
from rony_desktop.ui.icon import icon
from rony_desktop.ui.label import ElidedLabel, plain_label, plain_tip
from rony_desktop.ui.number import count_text
from rony_desktop.ui.theme import Theme


class ApprovalCard(QFrame):
    """Shows one question at a time. allowed carries a Choice, denied the reason or "".

    It takes the focus, on Deny, once no key was pressed for half a second; Esc inside denies.
    """

    allowed = Signal(object)
    denied = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("approval_card")
        self._theme = theme
        self._request: ApprovalRequest | None = None
        self._guard = Guard()
        self._quiet = Quiet(self)
        self._quiet.came.connect(self._take_focus)
        self._sign, self._warning = QLabel(self), QLabel(self)
        self._title = self._label("approval_title", "lead")
        self._waiting = self._label("approval_waiting", "hint")
        self._waiting.setWordWrap(False)
        self._folder = ElidedLabel(self, Qt.TextElideMode.ElideMiddle)
        self._folder.setObjectName("approval_folder")
        self._folder.setProperty("role", "quiet")
        self._protected = QWidget(self)
        self._protected.setObjectName("approval_protected")
        self._nothing = self._label("approval_nothing", "quiet")
        self._many = self._label("approval_many", "quiet")
        self._diff = DiffView(theme, self)
        self._fold = push_button("", "fold", "approval_fold", self)
        self._fold.setIconSize(QSize(16, 16))
        self._text = ExactText(theme, self.tr("Exact arguments"), self)
        self._text.setObjectName("approval_text")
        self._fold.clicked.connect(lambda: self._unfold(self._text.isHidden()))
        self._actions = Actions(theme, self._guard, self)
        self._actions.allowed.connect(self._allow)
        self._actions.denied.connect(self.denied)
        for well in (self._diff, self._text):
            well.endSeen.connect(self._check)
        self._diff.chosen.connect(self._check)
        self._lay_out()
        theme.changed.connect(self._tint)
        self._tint()

    def show_request(self, request: ApprovalRequest, waiting: int = 1) -> None:
        """Ask; waiting counts this question and those after it."""
        self._waiting.setText(self.tr("1 of {0}").format(count_text(waiting)))
        self._waiting.setVisible(waiting > 1)
        if request is self._request:
            return
        # Asked before Allow is closed: the focus leaves a button that can no longer be pressed.
        inside = any(part.hasFocus() for part in self.findChildren(QWidget))
        self._request = request
        words = title(request)
        self._title.setText(words)
        self.setAccessibleName(words)
        folder = visible(request.folder)
        self._folder.setText(self.tr("in {0}").format(folder))
        self._folder.setToolTip(plain_tip(folder))
        self._folder.setVisible(bool(folder))
        self._protected.setVisible(request.reason is AskReason.PROTECTED)
        self._fill(request)
        self._actions.set_deed(deed(request.call.name, request.pattern) if request.pattern else "")
        self._check()
        self._come(inside)

    def _fill(self, request: ApprovalRequest) -> None:
        change, instead = request.change, nothing_to_see(request)
        count = len(change.hunks) if change else 0
        self._nothing.setText(instead)
        self._nothing.setVisible(bool(instead))
        self._many.setText(
            self.tr("{0} changes: they are taken together or not at all.").format(count_text(count))
        )
        self._many.setVisible(count > CHOICES)
        self._diff.setVisible(bool(count))
        if change is not None:
            self._diff.show_change(change)
        arguments = request.call.arguments
        self._fold.setText(
            self.tr("Exact arguments, {0} characters").format(count_text(len(arguments)))
        )
        self._fold.setAccessibleName(self._fold.text())
        self._text.show_text(arguments)
        self._unfold(not count)

    def _come(self, inside: bool = False) -> None:
        """Begin to guard, and tell of the question once it can be seen."""
        if not self.isVisible() or self._request is None:
            return
        self._guard.restart()
        spoken = " ".join((self._title.text(), self._folder.text()))
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, spoken))
        if inside:
            self._actions.focus_deny()
        else:
            self._quiet.wait()

    def _take_focus(self) -> None:
        if self.isVisible():
            self.focus_deny()

    def focus_deny(self) -> None:
        """Take the focus at once: where nobody can be typing."""
        self._actions.focus_deny()

    def setFocus(self, reason: Qt.FocusReason = Qt.FocusReason.OtherFocusReason) -> None:
        """Put the focus on what answers; a proxy would make the card a stop of Tab by itself."""
        self._actions.focus_answer(reason)

    def _check(self) -> None:
        """Open Allow, or say why it is not."""
        seen = self._diff.seen if not self._diff.isHidden() else self._must_read()
        if self._diff.taken == () and not self._diff.isHidden():
            self._actions.set_open(False, self.tr("Take a change, or deny."))
        elif not seen:
            self._actions.set_open(False, self.tr("Scroll to the end to allow."))
        else:
            self._actions.set_open(True, "")

    def _must_read(self) -> bool:
        assert self._request is not None  # noqa: S101 - only asked of a question
        return self._text.seen or bool(self._nothing.text())

    def _allow(self, scope: GrantScope) -> None:
        hunks = None if self._diff.isHidden() else self._diff.taken
        self.allowed.emit(Choice(scope, hunks))

    def _unfold(self, shown: bool) -> None:
        self._text.setVisible(shown)
        self._fold.setAccessibleDescription(self.tr("Opened") if shown else self.tr("Closed"))
        self._tint()

    def _label(self, name: str, role: str = "") -> QLabel:
        label = plain_label("", role, self)
        label.setObjectName(name)
        return label

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(self._title)
        words.addWidget(self._folder)
        head.addLayout(words, 1)
        head.addWidget(self._waiting, 0, Qt.AlignmentFlag.AlignTop)
        warned = QHBoxLayout(self._protected)
        warned.setContentsMargins(0, 0, 0, 0)
        warned.setSpacing(8)
        warned.addWidget(self._warning, 0, Qt.AlignmentFlag.AlignTop)
        why = self._label("approval_why")
        why.setText(
            self.tr(
                "This file can run code or change how Rony behaves, so you are asked every time."
            )
        )
        warned.addWidget(why, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addLayout(head)
        for widget in (self._protected, self._nothing, self._many, self._diff):
            column.addWidget(widget)
        column.addWidget(self._fold, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._text)
        column.addWidget(self._actions)

    def _tint(self) -> None:
        self._sign.setPixmap(icon(self._theme, "shield", "accent", 20).pixmap(20, 20))
        self._warning.setPixmap(icon(self._theme, "triangle-alert", "warn").pixmap(16, 16))
        way = "chevron-right" if self._text.isHidden() else "chevron-down"
        self._fold.setIcon(icon(self._theme, way, "text3"))

    def event(self, event: QEvent) -> bool:
        """Keep Esc from the window's own, and guard again when the window comes to the front."""
        if event.type() == QEvent.Type.WindowActivate:
            self._guard.restart()
        escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if escape and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Begin to guard."""
        super().showEvent(event)
        self._come()

    def hideEvent(self, event: object) -> None:
        """Wait for no silence any more."""
        super().hideEvent(event)  # type: ignore[arg-type]
        self._quiet.stop()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Deny by Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.denied.emit("")
        else:
            super().keyPressEvent(event)
