"""The four values of a launch that the user may set."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from rony_desktop.contract.config import OptimizationMode
from rony_desktop.contract.launch import PlannedLaunch
from rony_desktop.contract.plan import Source, Wanted
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.plan.choice import ChoiceBox
from rony_desktop.ui.plan.control import ControlRow
from rony_desktop.ui.plan.presenter import ShownPlan
from rony_desktop.ui.plan.reason import reason_words
from rony_desktop.ui.plan.slider import ContextSlider, LayerSlider
from rony_desktop.ui.plan.words import cache_words, mode_word, source_word
from rony_desktop.ui.theme import Theme

TYPES = ("f16", "q8_0", "q4_0")
SETTINGS = ""  # the mode that the settings file names


class Tuner(QWidget):
    """Context, cache type, layers and mode; changed tells values by name, None for the plan's."""

    changed = Signal(dict)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # In the order of the page, which is that of the keyboard.
        self._mode = ChoiceBox(theme, "plan_mode", self)
        self._mode_row = self._row(self.tr("Mode"), self._mode)
        self._context = ContextSlider(theme, self)
        self._context_row = self._row(self.tr("Context"), self._context)
        self._types = ChoiceBox(theme, "plan_types", self)
        self._types_row = self._row(self.tr("Keys and values"), self._types)
        self._layers = LayerSlider(theme, self)
        self._layers_row = self._row(self.tr("Layers on the GPU"), self._layers)
        self._no_gpu = plain_label("", "hint", self)
        self._no_gpu.setObjectName("plan_no_gpu")
        self._lay_out()
        self._connect()

    def _row(self, title: str, control: ChoiceBox | ContextSlider | LayerSlider) -> ControlRow:
        control.setAccessibleName(title)
        return ControlRow(title, control.objectName(), control, self)

    def show_plan(self, shown: ShownPlan) -> None:
        """Show the values of a plan, and which of them the user set."""
        planned, wanted = shown.planned, shown.wanted
        launch = planned.launch
        self._context.show_value(
            launch.n_ctx, planned.model.context_length, given=wanted.n_ctx is not None
        )
        both = f"{launch.cache_type_k} / {launch.cache_type_v}"
        kind = launch.cache_type_k if launch.cache_type_k == launch.cache_type_v else both
        names = TYPES if kind in TYPES else (*TYPES, kind)
        self._types.show_values({name: cache_words(name) for name in names}, kind)
        self._show_layers(planned, wanted)
        modes = {SETTINGS: self.tr("As in the settings")}
        modes |= {str(mode): mode_word(mode) for mode in OptimizationMode}
        self._mode.show_values(modes, str(wanted.mode or SETTINGS))
        self._explain(shown)

    def _show_layers(self, planned: PlannedLaunch, wanted: Wanted) -> None:
        count, most = planned.launch.gpu_layers, planned.model.block_count + 1
        usable = planned.plan.vram is not None
        given = wanted.gpu_layers is not None
        # Layers that were asked for stay in sight where the GPU has gone, or nobody could reset it.
        self._layers_row.setVisible(usable or given)
        self._no_gpu.setVisible(not usable)
        self._layers.show_value(min(count or 0, most), most, given=given)
        self._no_gpu.setText(
            self.tr("No GPU that the engine can use was found: the processor does all the work.")
            if count is not None
            else self.tr("Which layers the GPU holds is left to the engine.")
        )

    def _explain(self, shown: ShownPlan) -> None:
        wanted = shown.wanted
        for row, name, given in (
            (self._context_row, "n_ctx", wanted.n_ctx is not None),
            (self._types_row, "cache_type_k", bool(wanted.cache_type_k or wanted.cache_type_v)),
            (self._layers_row, "gpu_layers", wanted.gpu_layers is not None),
        ):
            reason = shown.planned.reasons.get(name)
            source = reason.source if reason else Source.PLANNED
            row.show_choice(
                given=given,
                whose=source_word(source),
                why=reason_words(reason) if reason else "",
            )
        self._mode_row.show_choice(
            given=wanted.mode is not None,
            whose=source_word(Source.CONFIG),
            why=self.tr("Decides all that you leave to the plan."),
        )

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        for row in (self._mode_row, self._context_row, self._types_row, self._layers_row):
            column.addWidget(row)
        column.addWidget(self._no_gpu)

    def _connect(self) -> None:
        for row, control, names in (
            (self._context_row, self._context, ("n_ctx",)),
            (self._types_row, self._types, ("cache_type_k", "cache_type_v")),
            (self._layers_row, self._layers, ("gpu_layers",)),
        ):
            control.changed.connect(
                lambda value, row=row, names=names: self._set(row, names, value)
            )
            row.resetRequested.connect(lambda names=names: self.changed.emit(dict.fromkeys(names)))
        self._mode.changed.connect(self._set_mode)
        self._mode_row.resetRequested.connect(lambda: self.changed.emit({"mode": None}))

    def _set(self, row: ControlRow, names: tuple[str, ...], value: object) -> None:
        row.touched()
        self.changed.emit(dict.fromkeys(names, value))

    def _set_mode(self, mode: str) -> None:
        if mode:
            self._mode_row.touched()
        self.changed.emit({"mode": OptimizationMode(mode) if mode else None})
