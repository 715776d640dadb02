"""Sliders and fields that leave the wheel to the page they stand on."""

from __future__ import annotations

from PySide6.QtCore import QLocale, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QSlider, QSpinBox, QWidget

from rony_desktop.ui.label import ElidedLabel
from rony_desktop.ui.number import count_text
from rony_desktop.ui.plan.stop import STEP, nearest, stops
from rony_desktop.ui.theme import Theme

LEAST = 256  # tokens of the smallest context that may be typed
_FIELD = 132


class PageSlider(QSlider):
    """A horizontal slider; scrolling over it scrolls the page."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setObjectName(name)
        self.setMinimumWidth(80)
        self.setFixedHeight(32)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave it to the page."""
        event.ignore()

    def mark(self, *, given: bool) -> None:
        """Look as what the user chose, or as what the plan did."""
        self.setProperty("given", given)
        self.style().polish(self)


class TokenField(QSpinBox):
    """A number of tokens; it counts once it is typed to its end."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setLocale(_locale())
        self.setGroupSeparatorShown(True)
        self.setKeyboardTracking(False)
        self.setSingleStep(STEP)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setFont(theme.figures("label"))
        self.setFixedSize(_FIELD, 32)
        # The style sheet's padding does not reach the line inside.
        self.lineEdit().setTextMargins(8, 0, 8, 0)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave it to the page."""
        event.ignore()


class ContextSlider(QWidget):
    """A context: rough by the slider, exact by the field; changed tells tokens."""

    changed = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("plan_context")
        self._stops: tuple[int, ...] = stops(0)
        self.slider = PageSlider("plan_context_slider", self)
        self.slider.setAccessibleName(self.tr("Context"))
        self.field = TokenField(theme, "plan_tokens", self)
        self.field.setAccessibleName(self.tr("Context in tokens"))
        self.field.setSuffix(self.tr(" tokens"))
        self.slider.valueChanged.connect(self._slid)
        self.field.valueChanged.connect(self._typed)
        _line(self, self.slider, self.field)

    def show_value(self, n_ctx: int, limit: int, *, given: bool) -> None:
        """Show a context without telling of it; a field that is typed in is left alone."""
        self._stops = stops(limit)
        with QSignalBlocker(self.slider), QSignalBlocker(self.field):
            self.slider.setRange(0, len(self._stops) - 1)
            self.slider.setPageStep(4)
            if not (given and self.slider.isSliderDown()):
                self.slider.setValue(nearest(self._stops, n_ctx))
            self.field.setRange(min(LEAST, self._stops[-1]), self._stops[-1])
            if not self.field.hasFocus() or not given:
                self.field.setValue(n_ctx)
        self.slider.setEnabled(len(self._stops) > 1)
        self.slider.mark(given=given)
        self._say()

    def _slid(self, index: int) -> None:
        with QSignalBlocker(self.field):
            self.field.setValue(self._stops[index])
        self._say()
        self.changed.emit(self._stops[index])

    def _typed(self, n_ctx: int) -> None:
        with QSignalBlocker(self.slider):
            self.slider.setValue(nearest(self._stops, n_ctx))
        self._say()
        self.changed.emit(n_ctx)

    def _say(self) -> None:
        words = self.tr("{0} tokens of {1}").format(
            count_text(self.field.value()), count_text(self._stops[-1])
        )
        self.slider.setAccessibleDescription(words)


class LayerSlider(QWidget):
    """How many layers the GPU holds; changed tells the count."""

    changed = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("plan_layers")
        self.slider = PageSlider("plan_layers_slider", self)
        self.slider.setAccessibleName(self.tr("Layers on the GPU"))
        self._count = ElidedLabel(self)
        self._count.setFont(theme.figures("label"))
        self._count.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._count.setFixedWidth(_FIELD)
        self.slider.valueChanged.connect(self._slid)
        _line(self, self.slider, self._count)

    def show_value(self, layers: int, all_layers: int, *, given: bool) -> None:
        """Show a count without telling of it."""
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, all_layers)
            if not (given and self.slider.isSliderDown()):
                self.slider.setValue(layers)
        self.slider.mark(given=given)
        self._say()

    def _slid(self, layers: int) -> None:
        self._say()
        self.changed.emit(layers)

    def _say(self) -> None:
        words = self.tr("{0} of {1}").format(self.slider.value(), self.slider.maximum())
        self._count.setText(words)
        self.slider.setAccessibleDescription(words)


def _line(widget: QWidget, slider: QSlider, value: QWidget) -> None:
    line = QHBoxLayout(widget)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(12)
    line.addWidget(slider, 1)
    line.addWidget(value, 0)
    widget.setFocusProxy(slider)


def _locale() -> QLocale:
    """Numbers as ui.number writes them."""
    locale = QLocale()
    return QLocale(QLocale.Language.English) if locale.language() is QLocale.Language.C else locale
