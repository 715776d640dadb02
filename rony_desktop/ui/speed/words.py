"""The words of speed: rates, times, ranges, what was tried and what came of it."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

from rony_desktop.contract.speed import Basis, Span, Trial, Tuning, Verdict
from rony_desktop.ui.dot import joined
from rony_desktop.ui.number import count_text, decimal_text
from rony_desktop.ui.speed.presenter import Job, Progress
from rony_desktop.ui.token import THIN

DASH = "\u2013"  # between the ends of a range, and for nothing to say
_ROUGH = 10  # ends of a range from here on need none
_LEAST = 0.005  # less than half a percent is no difference


def rate_range(span: Span) -> str:
    """A range of tokens a second: 24 to 31 tok/s, with a dash."""
    return f"{_joined(*(_end(end) for end in (span.low, span.high)))}{THIN}tok/s"


def time_text(seconds: float) -> str:
    """A time: 180 ms, 1.2 s."""
    if seconds < 1:
        return f"{count_text(round(seconds * 1000))}{THIN}ms"
    return f"{decimal_text(seconds)}{THIN}s"


def time_range(span: Span) -> str:
    """A range of times: 160 to 210 ms, 1.2 to 1.6 s, with a dash."""
    if span.high < 1:
        ends = (count_text(round(end * 1000)) for end in (span.low, span.high))
        return f"{_joined(*ends)}{THIN}ms"
    return f"{_joined(*(decimal_text(end) for end in (span.low, span.high)))}{THIN}s"


def percent(part: float) -> str:
    """A part of one: 4 %."""
    return f"{count_text(round(part * 100))}{THIN}%"


def setting(name: str, value: object) -> str:
    """One setting that is tried beside the plan."""
    tr = QCoreApplication.translate
    words = {
        "threads": tr("speed", "{0} threads for writing"),
        "threads_batch": tr("speed", "{0} threads for reading"),
        "n_ubatch": tr("speed", "batches of {0} tokens"),
        "flash_attn": tr("speed", "with flash attention"),
        "repack": tr("speed", "weights in the engine's layout"),
    }
    without = {
        ("flash_attn", "off"): tr("speed", "without flash attention"),
        ("repack", False): tr("speed", "weights as in the file"),
    }
    # A name of a later version is better shown as it is than not at all.
    known = without.get((name, value)) or words.get(name) or f"{name} {{0}}"
    return known.format(value)


def settings(changes: Mapping[str, object]) -> str:
    """What is tried beside the plan; the plan itself where nothing is."""
    words = ", ".join(setting(*change) for change in changes.items())
    return words or QCoreApplication.translate("speed", "the planned settings")


def kept(tuning: Tuning) -> Mapping[str, object]:
    """What the launch to use has otherwise than the planned one."""
    launch = tuning.launch
    fitting = (
        trial.changes
        for trial in tuning.trials
        if all(getattr(launch, name) == value for name, value in trial.changes.items())
    )
    return max(fitting, key=len, default={})


def verdict_words(tuning: Tuning) -> tuple[str, str]:
    """What tuning found, and what it means."""
    tr = QCoreApplication.translate
    match tuning.verdict:
        case Verdict.FASTER:
            what = settings(kept(tuning))
            return (
                tr("speed", "{0} faster").format(percent(tuning.gain)),
                tr("speed", "Used from now on: {0}.").format(what),
            )
        case Verdict.KEPT:
            return (
                tr("speed", "The planned settings are the fastest"),
                tr("speed", "Nothing else was surely faster, so nothing changes."),
            )
        case Verdict.NOISY:
            return (
                tr("speed", "No conclusion: this computer was busy"),
                tr(
                    "speed",
                    "Runs of the same settings differ by {0}. Nothing changes; close other "
                    "programs and tune again.",
                ).format(percent(tuning.noise)),
            )
        case Verdict.UNFINISHED:
            return (
                tr("speed", "No conclusion: there was too little time"),
                tr("speed", "This model takes long for each run. Nothing changes."),
            )


def difference(trial: Trial, planned: Trial) -> str:
    """By how much a setting is faster or slower than the planned one."""
    tr = QCoreApplication.translate
    if trial is planned or not planned.turn_s:
        return DASH
    gain = 1 - trial.turn_s / planned.turn_s
    if abs(gain) < _LEAST:
        return tr("speed", "the same")
    if gain > 0:
        return tr("speed", "{0} faster").format(percent(gain))
    return tr("speed", "{0} slower").format(percent(-gain))


def progress_words(progress: Progress) -> str:
    """How far a job is."""
    tr = QCoreApplication.translate
    if progress.stopping:
        return tr("speed", "Stopping; the model is loaded again")
    if not progress.every:
        return tr("speed", "Starting the engine")
    if progress.done >= progress.every:
        return tr("speed", "Loading the model again")
    run = tr("speed", "{0} of {1}").format(progress.done + 1, progress.every)
    return joined((run, settings(progress.changes))) if progress.job is Job.TUNE else run


def judged(span: Span, value: float, *, less_is_better: bool = False) -> str:
    """How a measured value is beside its prediction."""
    tr = QCoreApplication.translate
    if span.low <= value <= span.high:
        return tr("speed", "as predicted")
    if (value > span.high) is not less_is_better:
        return tr("speed", "faster than predicted")
    return tr("speed", "slower than predicted")


def basis_words(basis: Basis) -> str:
    """What a prediction rests on."""
    tr = QCoreApplication.translate
    return {
        Basis.RUN: tr("speed", "The prediction rests on earlier runs of this model."),
        Basis.MACHINE: tr("speed", "The prediction rests on runs of other models here."),
        Basis.PROBE: tr("speed", "The prediction rests on a short test of this computer."),
    }[basis]


def sentence(words: str) -> str:
    """Words with their first letter large."""
    return words[:1].upper() + words[1:]


def _end(value: float) -> str:
    return count_text(round(value)) if value >= _ROUGH else decimal_text(value)


def _joined(low: str, high: str) -> str:
    return low if low == high else f"{low}{DASH}{high}"
