"""The words of a plan: fits, steps down, sources, modes, cache types and lines of the sum."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from rony_desktop.contract.config import OptimizationMode
from rony_desktop.contract.launch import Fit, Rung
from rony_desktop.contract.plan import Source
from rony_desktop.contract.speed import Basis
from rony_desktop.ui.plan.ledger import Item
from rony_desktop.ui.plan.segment import Part


def fit_word(fit: Fit) -> str:
    """How well a model fits, in a word or three."""
    tr = QCoreApplication.translate
    return {
        Fit.GPU: tr("plan", "Fits on the GPU"),
        Fit.PARTLY: tr("plan", "Partly on the GPU"),
        Fit.FITS: tr("plan", "Fits"),
        Fit.SHORT: tr("plan", "Short context"),
        Fit.TOO_LARGE: tr("plan", "Too large"),
        Fit.UNUSABLE: tr("plan", "Cannot be used"),
    }[fit]


def fit_sentence(fit: Fit) -> str:
    """What a fit means for the user."""
    tr = QCoreApplication.translate
    return {
        Fit.GPU: tr("plan", "All of it runs on the GPU."),
        Fit.PARTLY: tr("plan", "The GPU holds a part of it; the processor does the rest."),
        Fit.FITS: tr("plan", "It fits into the memory that is free now."),
        Fit.SHORT: tr("plan", "It fits, with less context than it could use."),
        Fit.TOO_LARGE: tr("plan", "It does not fit into the memory that is free now."),
        Fit.UNUSABLE: tr("plan", "It is no model to chat with."),
    }[fit]


def rung_words(rung: Rung) -> str:
    """A step down that was taken."""
    tr = QCoreApplication.translate
    return {
        Rung.SMALLER_CACHE: tr("plan", "keys and values half as large"),
        Rung.HALF_CONTEXT: tr("plan", "half the context"),
        Rung.FEWER_LAYERS: tr("plan", "fewer layers on the GPU"),
        Rung.SMALLER_FILE: tr("plan", "a smaller file of the same model"),
    }[rung]


def source_word(source: Source) -> str:
    """Whose choice a value is."""
    tr = QCoreApplication.translate
    return {
        Source.GIVEN: tr("plan", "you"),
        Source.CONFIG: tr("plan", "settings"),
        Source.KEPT: tr("plan", "you"),
        Source.TUNED: tr("plan", "tuned"),
        Source.LOWERED: tr("plan", "lowered"),
        Source.PLANNED: tr("plan", "planned"),
    }[source]


def basis_words(basis: Basis) -> str:
    """What a predicted speed rests on."""
    tr = QCoreApplication.translate
    return {
        Basis.RUN: tr("plan", "Predicted from measured runs of this file on this computer."),
        Basis.MACHINE: tr("plan", "Predicted from runs of other models on this computer."),
        Basis.PROBE: tr("plan", "Predicted from a short test of this computer."),
    }[basis]


def mode_word(mode: OptimizationMode) -> str:
    """What a plan favours."""
    tr = QCoreApplication.translate
    return {
        OptimizationMode.BALANCED: tr("plan", "Balanced"),
        OptimizationMode.SPEED: tr("plan", "Speed"),
        OptimizationMode.CONTEXT: tr("plan", "Long context"),
        OptimizationMode.SMALL: tr("plan", "Little memory"),
    }[mode]


def cache_words(cache_type: str) -> str:
    """A type of keys and values with what it means."""
    tr = QCoreApplication.translate
    known = {
        "f16": tr("plan", "f16, exact"),
        "q8_0": tr("plan", "q8_0, half the memory"),
        "q4_0": tr("plan", "q4_0, a quarter, less exact"),
    }
    return known.get(cache_type, cache_type)


def part_word(part: Part) -> str:
    """What holds a part of a memory."""
    tr = QCoreApplication.translate
    return {
        Part.OTHERS: tr("plan", "Other programs"),
        Part.KEPT: tr("plan", "Kept free"),
        Part.WEIGHTS: tr("plan", "Weights"),
        Part.CONTEXT: tr("plan", "Context"),
        Part.COMPUTE: tr("plan", "Compute"),
        Part.CACHE: tr("plan", "Prompt cache"),
        Part.FREE: tr("plan", "Free"),
    }[part]


def item_words(item: Item) -> str:
    """What a line of the sum counts."""
    tr = QCoreApplication.translate
    return {
        Item.FILE: tr("plan", "Weights as in the file"),
        Item.LAYOUT: tr("plan", "Weights in the engine's layout"),
        Item.KV: tr("plan", "Keys and values of the context"),
        Item.STATES: tr("plan", "States of recurrent layers"),
        Item.BATCH: tr("plan", "One batch"),
        Item.OUTPUT: tr("plan", "Output"),
        Item.CACHE: tr("plan", "Prompt cache, at most"),
        Item.TOGETHER: tr("plan", "Together"),
        Item.ON_GPU: tr("plan", "of it on the GPU"),
        Item.IN_RAM: tr("plan", "of it in the computer's memory"),
        Item.FREE: tr("plan", "Free now"),
        Item.AGAIN: tr("plan", "Comes free again"),
        Item.SYSTEM: tr("plan", "Left to the system"),
        Item.MARGIN: tr("plan", "Margin"),
        Item.ROOM: tr("plan", "May be used"),
        Item.NEEDED: tr("plan", "Needed"),
        Item.LEFT: tr("plan", "Stays free"),
        Item.OVER: tr("plan", "Too much"),
    }[item]
