"""The foot of the list: the chosen model, what can be done with it, and the question to delete."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from rony_desktop.ui.button import page_button
from rony_desktop.ui.installed.health_view import HealthLine
from rony_desktop.ui.installed.presenter import Asked
from rony_desktop.ui.installed.words import asked_words
from rony_desktop.ui.label import ElidedLabel, plain_label, plain_tip
from rony_desktop.ui.room import keep_room
from rony_desktop.ui.theme import Theme


class Detail(QFrame):
    """Shows a model, or a folder that is away; one size for all, so that the list stays."""

    useRequested = Signal()  # noqa: N815 - Qt's naming of signals
    planRequested = Signal()  # noqa: N815
    revealRequested = Signal()  # noqa: N815
    deleteRequested = Signal()  # noqa: N815
    keepRequested = Signal()  # noqa: N815
    removeRequested = Signal()  # noqa: N815
    lookRequested = Signal()  # noqa: N815

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("installed_foot")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._name = ElidedLabel(self, Qt.TextElideMode.ElideMiddle)
        self._name.setObjectName("installed_name")
        self._name.setProperty("role", "lead")
        self._place = ElidedLabel(self, Qt.TextElideMode.ElideMiddle)
        self._place.setObjectName("installed_place")
        self._place.setProperty("role", "hint")
        self.health = HealthLine(theme, self)
        keep_room(self.health)
        texts = self.tr("Use"), self.tr("Plan"), self.tr("Show in folder"), self.tr("Delete…")
        looks = ("primary", "outline", "outline", "outline")
        names = ("use", "plan", "reveal", "delete")
        asks = (self.useRequested, self.planRequested, self.revealRequested, self.deleteRequested)
        self._use, self._plan, self._reveal, self._delete = (
            self._button(*each) for each in zip(texts, looks, names, asks, strict=True)
        )
        self._again = self._button(
            self.tr("Look again"), "primary", "again_there", self.lookRequested
        )
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._about_page())
        self._questioning = self._question_page()
        self._stack.addWidget(self._questioning)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 12, 24, 16)
        column.addWidget(self._stack)

    def show_model(self, name: str, place: str, *, current: bool, usable: bool) -> None:
        """Show a model; a current one is in use."""
        self._show(name, place, away=False)
        self._use.setEnabled(usable and not current)
        text = self.tr("In use") if current else self.tr("Use")
        self._use.setText(text)
        self._use.setAccessibleName(text)
        self._plan.setEnabled(usable)
        self.health.set_usable(usable)

    def show_away(self, name: str, about: str) -> None:
        """Show a folder that is not there."""
        self._show(name, about, away=True)

    def show_asked(self, asked: Asked | None) -> None:
        """Ask whether to delete a model, or say why it cannot be; None: ask nothing."""
        self._stack.setCurrentIndex(0 if asked is None else 1)
        if asked is None:
            return
        question, about = asked_words(asked)
        self._question.setText(question)
        self._question.setToolTip(plain_tip(question))
        self._effect.setText(about)
        self._remove.setVisible(asked.allowed)
        text = self.tr("Keep") if asked.allowed else self.tr("Close")
        self._keep.setText(text)
        self._keep.setAccessibleName(text)
        self._questioning.setAccessibleName(f"{question} {about}")
        self._keep.setFocus(Qt.FocusReason.OtherFocusReason)

    def is_asking(self) -> bool:
        """Whether a question stands there."""
        return self._stack.currentIndex() == 1

    def _show(self, name: str, place: str, *, away: bool) -> None:
        for label, text in ((self._name, name), (self._place, place)):
            label.setText(text)
            label.setToolTip(plain_tip(text))
        for widget in (self.health, self._use, self._plan, self._reveal, self._delete):
            widget.setVisible(not away)
        self._again.setVisible(away)

    def _about_page(self) -> QWidget:
        page = QWidget(self)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self._delete)
        buttons.addWidget(self._reveal)
        buttons.addStretch(1)
        for button in (self._plan, self._use, self._again):
            buttons.addWidget(button)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self._name)
        column.addWidget(self._place)
        column.addWidget(self.health)
        column.addStretch(1)
        column.addSpacing(4)
        column.addLayout(buttons)
        return page

    def _question_page(self) -> QWidget:
        page = QWidget(self)
        self._question = ElidedLabel(page, Qt.TextElideMode.ElideMiddle)
        self._question.setObjectName("installed_question")
        self._question.setProperty("role", "lead")
        self._effect = plain_label("", "quiet", page)
        self._effect.setObjectName("installed_effect")
        self._keep = self._button(self.tr("Keep"), "outline", "keep", self.keepRequested)
        self._remove = self._button(self.tr("Delete"), "danger", "remove", self.removeRequested)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        buttons.addWidget(self._keep)
        buttons.addWidget(self._remove)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self._question)
        column.addWidget(self._effect)
        column.addStretch(1)
        column.addLayout(buttons)
        return page

    def _button(self, text: str, look: str, name: str, asks: SignalInstance) -> QPushButton:
        button = page_button(text, look, f"installed_{name}", self)
        button.clicked.connect(asks)
        return button
