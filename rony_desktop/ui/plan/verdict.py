"""How a model fits: a sign and a word in colour, and the sentence that explains them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rony_desktop.contract.launch import Fit
from rony_desktop.ui.icon import icon
from rony_desktop.ui.label import ElidedLabel, plain_label, plain_tip
from rony_desktop.ui.number import gigabytes
from rony_desktop.ui.plan.presenter import ShownPlan
from rony_desktop.ui.plan.segment import excess
from rony_desktop.ui.plan.words import fit_sentence, fit_word
from rony_desktop.ui.theme import Theme

LOOKS = {
    Fit.GPU: ("check", "ok"),
    Fit.FITS: ("check", "ok"),
    Fit.PARTLY: ("info", "info"),
    Fit.SHORT: ("triangle-alert", "warn"),
    Fit.TOO_LARGE: ("circle-alert", "danger"),
    Fit.UNUSABLE: ("ban", "danger"),
}


class Verdict(QWidget):
    """The model's name, how it fits, and by how much it does not."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._fit = Fit.FITS
        self._name = ElidedLabel(self, Qt.TextElideMode.ElideMiddle)
        self._name.setObjectName("plan_name")
        self._name.setFont(theme.font("title", strong=True))
        self._quant = QLabel("", self)
        self._quant.setObjectName("plan_quant")
        self._quant.setProperty("role", "quiet")
        self._sign = QLabel(self)
        self._word = QLabel("", self)
        self._word.setObjectName("plan_fit")
        self._word.setFont(theme.font("label", strong=True))
        self._sentence = plain_label("", "quiet", self)
        self._sentence.setObjectName("plan_sentence")
        self._lay_out()
        theme.changed.connect(self._tint)

    def show_plan(self, shown: ShownPlan, quant: str) -> None:
        """Show how a plan fits."""
        name, over = shown.planned.model.path.stem, excess(shown.planned.plan)
        self._fit = shown.fit
        self._name.setText(name)
        self._name.setToolTip(plain_tip(name))
        self._quant.setText(quant)
        self._quant.setVisible(bool(quant))
        self._word.setText(fit_word(shown.fit))
        sentence = fit_sentence(shown.fit)
        if over:
            sentence = self.tr("It needs {0} more than may be used now.").format(gigabytes(over))
        self._sentence.setText(sentence)
        self.setAccessibleName(f"{name} {quant}. {fit_word(shown.fit)}. {sentence}")
        self._tint()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._name, 0)
        head.addWidget(self._quant, 0, Qt.AlignmentFlag.AlignVCenter)
        head.addStretch(1)
        head.addSpacing(8)
        head.addWidget(self._sign, 0)
        head.addWidget(self._word, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self._sentence)

    def _tint(self) -> None:
        sign, role = LOOKS[self._fit]
        self._sign.setPixmap(icon(self._theme, sign, role).pixmap(16, 16))
        self._word.setProperty("role", role)
        self._word.style().polish(self._word)
