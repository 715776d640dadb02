"""The doctor page: a line that says how things are, and every check below it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rony_desktop.ui.button import push_button
from rony_desktop.ui.doctor.presenter import Report
from rony_desktop.ui.doctor.row import SIGNS, CheckRow
from rony_desktop.ui.doctor.words import report_text
from rony_desktop.ui.icon import icon
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.room import keep_room, scroll_area
from rony_desktop.ui.speed.meter import Meter
from rony_desktop.ui.theme import Theme


class DoctorPane(QWidget):
    """Shows a Report as it grows; its buttons ask to look again or to stop."""

    againRequested = Signal()  # noqa: N815 - Qt's naming of signals
    cancelRequested = Signal()  # noqa: N815

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("doctor_pane")
        self._theme = theme
        self._report = Report()
        self._rows: list[CheckRow] = []
        self._sign = QLabel(self)
        self._sign.setFixedSize(20, 26)
        self._summary = plain_label("", "display", self)
        self._summary.setObjectName("doctor_summary")
        self._about = plain_label("", "quiet", self)
        self._about.setObjectName("doctor_about")
        self._meter = Meter(theme, self)
        keep_room(self._meter)  # no row moves when all is done
        # Made first: it is the first to have the focus.
        self._again = push_button(self.tr("Check again"), "outline", "doctor_again", self)
        self._again.clicked.connect(self._press)
        self._copy = push_button(self.tr("Copy report"), "outline", "doctor_copy", self)
        self._copy.clicked.connect(self._copy_report)
        self._list = QWidget(self)
        self._list.setObjectName("doctor_list")
        self._lay_out()
        theme.changed.connect(self._tint)
        self.show_report(self._report)

    def show_report(self, report: Report) -> None:
        """Show what was found; rows that are there already stay where they are."""
        known = len(self._rows)
        if report.checks[:known] != self._report.checks[:known] or len(report.checks) < known:
            self._clear()
            known = 0
        self._report = report
        for check in report.checks[known:]:
            row = CheckRow(self._theme, check, self._list)
            self._column.insertWidget(len(self._rows), row)
            self._rows.append(row)
        self._meter.set_share(None if report.running else 1.0)
        self._meter.setVisible(report.running)
        self._copy.setEnabled(bool(report.checks) and not report.running)
        again = self.tr("Cancel") if report.running else self.tr("Check again")
        self._again.setText(again)
        self._again.setAccessibleName(again)
        self._summarise()

    def _lay_out(self) -> None:
        self._column = QVBoxLayout(self._list)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addStretch(1)
        area = scroll_area("doctor_area", self._list, keys=True)
        area.setAccessibleName(self.tr("What was looked at"))
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(self._summary)
        words.addWidget(self._about)
        head = QHBoxLayout()
        head.setContentsMargins(2, 0, 2, 0)
        head.setSpacing(8)
        head.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(words, 1)
        for button in (self._copy, self._again):
            button.setFixedHeight(32)
            head.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(22, 16, 22, 14)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self._meter)
        column.addWidget(area, 1)

    def _clear(self) -> None:
        for row in self._rows:
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rows.clear()

    def _summarise(self) -> None:
        checks = self._report.checks
        bad = sum(check.status != "ok" for check in checks)
        if self._report.running:
            summary = self.tr("Checking this computer")
            about = (
                self.tr("{0} done").format(len(checks)) if checks else self.tr("It takes a moment")
            )
        elif self._report.stopped:
            summary = self.tr("Not everything was checked")
            about = self.tr("Check again to see the rest.")
        elif not checks:
            summary, about = self.tr("Nothing was checked yet"), self.tr("Check what works here.")
        elif bad:
            one = self.tr("One thing needs attention")
            summary = one if bad == 1 else self.tr("{0} things need attention").format(bad)
            about = self.tr("What helps is said below each.")
        else:
            summary = self.tr("Everything works")
            about = self.tr("Engine, model, memory and folders are as they should be.")
        self._summary.setText(summary)
        self._about.setText(about)
        self._tint()

    def _state(self) -> tuple[str, str]:
        statuses = {check.status for check in self._report.checks}
        if self._report.running:
            return "search", "text2"
        if self._report.stopped or not statuses:
            return "info", "text2"
        worst = "failed" if "failed" in statuses else "warning" if "warning" in statuses else "ok"
        return SIGNS[worst]

    def _tint(self) -> None:
        sign, role = self._state()
        self._sign.setPixmap(icon(self._theme, sign, role, 20).pixmap(20, 20))

    def _press(self) -> None:
        asked = self.cancelRequested if self._report.running else self.againRequested
        asked.emit()

    def _copy_report(self) -> None:
        QGuiApplication.clipboard().setText(report_text(self._report.checks))
        self._about.setText(self.tr("The report was copied, without secrets."))
