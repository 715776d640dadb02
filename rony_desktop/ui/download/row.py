"""One download as a row: its name, how far it is, what may be done with it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from rony_desktop.contract.download import Download, DownloadState
from rony_desktop.ui.approval.escape import visible
from rony_desktop.ui.button import page_button
from rony_desktop.ui.card import ErrorText
from rony_desktop.ui.dot import spoken
from rony_desktop.ui.download.words import (
    cancel_word,
    origin,
    progress,
    share_of,
    there,
    toggle_word,
)
from rony_desktop.ui.error import local, words
from rony_desktop.ui.label import ElidedLabel, plain_label, plain_tip
from rony_desktop.ui.speed.meter import Meter
from rony_desktop.ui.speed.note import Note
from rony_desktop.ui.theme import Theme

_MIDDLE = Qt.AlignmentFlag.AlignVCenter


class DownloadRow(QFrame):
    """Space pauses and resumes, Delete cancels, Enter uses what is done, Esc deletes nothing.

    stepped tells by how many rows the focus should go on.
    """

    toggled = Signal(str)
    cancelled = Signal(str)
    kept = Signal()
    used = Signal(str)
    failurePressed = Signal(str)  # noqa: N815 - Qt's naming of signals; an Action
    stepped = Signal(int)

    def __init__(self, theme: Theme, download: Download, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("download_row")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._download = download
        self._given: tuple[Download, bool, bool] | None = None
        self._asked = False
        self._action = ""
        self._name = self._line("download_name", Qt.TextElideMode.ElideMiddle)
        self._name.setFont(theme.font("label", strong=True))
        self._origin = self._line("download_origin", Qt.TextElideMode.ElideRight)
        self._origin.setProperty("role", "hint")
        self._meter = Meter(theme, self)
        self._progress = self._line("download_progress", Qt.TextElideMode.ElideRight)
        self._progress.setProperty("role", "quiet")
        self._progress.setFont(theme.figures("label"))
        self._question = plain_label("", "", self)
        self._question.setObjectName("download_question")
        self._question.setWordWrap(False)
        self._notes = {
            "danger": Note(theme, "circle-alert", "danger", self),
            "info": Note(theme, "info", "info", self),
        }
        self._toggle = self._button("outline", "download_toggle", self._press)
        self._cancel = self._button("plain", "download_cancel", self._press_cancel)
        self._help = self._button("outline", "download_help", self._press_help)
        self._delete = self._button("outline", "download_delete", self._press_cancel)
        self._keep = self._button("outline", "download_keep", self.kept.emit)
        self._delete.setText(self.tr("Delete"))
        self._keep.setText(self.tr("Keep"))
        self._lay_out()
        self.show_download(download)

    def show_download(self, download: Download, *, asked: bool = False, busy: bool = False) -> None:
        """Show where it is; asked: whether to delete what came is to be said."""
        given = (download, asked, busy)
        if given == self._given:  # most rows stay as they are while one comes further
            return
        self._given, self._download = given, download
        name, where, how = visible(download.name), origin(download), progress(download)
        self._name.setText(name)
        self._name.setToolTip(plain_tip(f"{name}\n{where}"))
        self._origin.setText(where)
        self._progress.setText(how)
        self._meter.setVisible(download.state is not DownloadState.DONE)
        self._meter.set_share(share_of(download))
        said = self._say(download)
        self._label(self._toggle, toggle_word(download.state))
        self._label(self._cancel, cancel_word(download.state))
        self._toggle.setEnabled(not busy)
        self._cancel.setEnabled(not busy)
        self._ask(asked)
        question = self._question.text() if asked else ""
        said_all = (name, where, spoken(how), said, question)
        self.setAccessibleName(". ".join(part for part in said_all if part))

    def holds_focus(self) -> bool:
        """Whether the row or one of its buttons has the focus."""
        return self.hasFocus() or any(each.hasFocus() for each in self.findChildren(QPushButton))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Do what the keys say."""
        key, id = Qt.Key(event.key()), self._download.id
        done = self._download.state is DownloadState.DONE
        if key is Qt.Key.Key_Space and not done:
            self.toggled.emit(id)
        elif key in {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}:
            self.cancelled.emit(id)
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:  # no button of the dialog is meant
            focused = [each for each in self.findChildren(QPushButton) if each.hasFocus()]
            if focused:
                focused[0].click()
            elif done:
                self.used.emit(id)
        elif key is Qt.Key.Key_Escape and self._asked:
            self.kept.emit()
        elif key in {Qt.Key.Key_Up, Qt.Key.Key_Down}:
            self.stepped.emit(-1 if key is Qt.Key.Key_Up else 1)
        else:
            super().keyPressEvent(event)

    def _say(self, download: Download) -> str:
        """What went wrong, or what the user should know of it."""
        failure, note = download.failure, download.step.note
        for widget, given in zip(self._notes.values(), (failure, note), strict=True):
            widget.setVisible(given is not None)
            if given is not None:
                text = words(given)
                widget.set_text(f"{text.sentence} {text.remedy}".strip())
        told = local(failure, again=False) if failure else ErrorText("")
        self._action = told.action
        self._label(self._help, told.button)
        shown = (note_widget for note_widget in self._notes.values() if not note_widget.isHidden())
        return " ".join(widget.text() for widget in shown)

    def _ask(self, asked: bool) -> None:
        self._question.setText(self.tr("Delete {0}?").format(there(self._download)))
        begun, self._asked = asked and not self._asked, asked
        inside = self.holds_focus()
        for widget in (self._toggle, self._cancel, self._help):
            widget.setVisible(not asked and bool(widget.text()))
        for part in (self._question, self._delete, self._keep):
            part.setVisible(asked)
        if begun:
            self._keep.setFocus(Qt.FocusReason.OtherFocusReason)
        elif inside and not self.holds_focus():
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _press(self) -> None:
        done = self._download.state is DownloadState.DONE
        (self.used if done else self.toggled).emit(self._download.id)

    def _press_cancel(self) -> None:
        self.cancelled.emit(self._download.id)

    def _press_help(self) -> None:
        self.failurePressed.emit(self._action)

    def _line(self, name: str, cut: Qt.TextElideMode) -> ElidedLabel:
        label = ElidedLabel(self, cut)
        label.setObjectName(name)
        return label

    def _button(self, look: str, name: str, pressed: object) -> QPushButton:
        made = page_button("", look, name, self)
        made.clicked.connect(pressed)
        return made

    @staticmethod
    def _label(widget: QPushButton, text: str) -> None:
        if widget.text() != text:
            widget.setText(text)
            widget.setAccessibleName(text)

    def _lay_out(self) -> None:
        names = QVBoxLayout()
        names.setSpacing(4)
        names.addWidget(self._name)
        names.addWidget(self._origin)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addLayout(names, 1)
        head.addSpacing(8)
        for widget in (self._question, self._delete, self._keep):
            head.addWidget(widget, 0, _MIDDLE)
        for widget in (self._help, self._toggle, self._cancel):
            head.addWidget(widget, 0, _MIDDLE)
        for label in (self._name, self._origin):
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 14, 10)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self._meter)
        column.addWidget(self._progress)
        for note in self._notes.values():
            column.addWidget(note)
