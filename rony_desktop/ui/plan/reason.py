"""The reasons of a plan in words of the user's language."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from rony_desktop.contract.config import OptimizationMode
from rony_desktop.contract.error import fill
from rony_desktop.contract.plan import Reason, Why
from rony_desktop.ui.number import count_text
from rony_desktop.ui.plan.words import mode_word

CONTEXT = "reason"
WORDS = {
    Why.GIVEN: QT_TRANSLATE_NOOP("reason", "Set by you."),
    Why.CONFIG: QT_TRANSLATE_NOOP("reason", "Set in the settings file."),
    Why.MODEL_LIMIT: QT_TRANSLATE_NOOP("reason", "The model's own limit is {limit}."),
    Why.MODE: QT_TRANSLATE_NOOP("reason", 'What the mode "{mode}" asks for.'),
    Why.MEMORY: QT_TRANSLATE_NOOP("reason", "The most that fits of {wanted}."),
    Why.SMALLEST: QT_TRANSLATE_NOOP("reason", "The smallest there is, for memory is short."),
    Why.NO_GPU: QT_TRANSLATE_NOOP("reason", "There is no GPU that the engine could use."),
    Why.ENGINE: QT_TRANSLATE_NOOP("reason", "Left to the engine, which knows its devices."),
    Why.GPU_ALL: QT_TRANSLATE_NOOP("reason", "All layers fit on {devices}."),
    Why.GPU_PART: QT_TRANSLATE_NOOP("reason", "Of {layers} layers, as many as fit on {devices}."),
    Why.GPU_FULL: QT_TRANSLATE_NOOP("reason", "Not even one layer fits on {devices}."),
    Why.EXPERTS: QT_TRANSLATE_NOOP(
        "reason", "The experts of {layers} layers do not fit on {devices}."
    ),
    Why.BATCH_TIME: QT_TRANSLATE_NOOP(
        "reason", "Read within a second, so that Stop is soon heard."
    ),
    Why.BATCH_GPU: QT_TRANSLATE_NOOP("reason", "Read fast enough on the GPU."),
    Why.BATCH_WHOLE: QT_TRANSLATE_NOOP("reason", "This kind of model reads all of a text at once."),
    Why.ONE_CORE_LEFT: QT_TRANSLATE_NOOP("reason", "One core is left to the rest of the computer."),
    Why.ALL_CORES: QT_TRANSLATE_NOOP("reason", "One for each core."),
    Why.FLASH_AUTO: QT_TRANSLATE_NOOP("reason", "The engine uses it wherever it can."),
    Why.FLASH_NEEDED: QT_TRANSLATE_NOOP("reason", "Values of this type need it."),
    Why.CACHE_EXACT: QT_TRANSLATE_NOOP("reason", "Exact, and fastest on a processor."),
    Why.CACHE_ALIKE: QT_TRANSLATE_NOOP("reason", "Keys and values must be of one type here."),
    Why.CACHE_SMALLER: QT_TRANSLATE_NOOP("reason", "Half as large, for a larger context."),
    Why.CACHE_RAM: QT_TRANSLATE_NOOP("reason", "Keeps a whole context beside the live one."),
    Why.ONE_CHAT: QT_TRANSLATE_NOOP(
        "plan", "One chat at a time: more slots would only take memory from it."
    ),
    Why.SLOTS_DEFAULT: QT_TRANSLATE_NOOP(
        "reason", "The server's default: four slots over one cache."
    ),
    Why.REPACK: QT_TRANSLATE_NOOP("reason", "Faster on this processor."),
    Why.REPACK_GPU: QT_TRANSLATE_NOOP("reason", "The engine does not do it where it sees a GPU."),
    Why.RULES: QT_TRANSLATE_NOOP("reason", "Worked out by the rules of this kind of model."),
    Why.UPPER_BOUND: QT_TRANSLATE_NOOP(
        "reason", 'The kind "{architecture}" is not known: this is the most it takes.'
    ),
    Why.ENGINE_SAYS: QT_TRANSLATE_NOOP(
        "reason", "As the engine itself counted it before it took any."
    ),
    Why.KEPT: QT_TRANSLATE_NOOP("reason", "Set by you for this model."),
    Why.TUNED: QT_TRANSLATE_NOOP("reason", "Found to be faster on this computer."),
    Why.LOWERED: QT_TRANSLATE_NOOP("reason", "Lowered, for memory ran out."),
    Why.THIS_FILE: QT_TRANSLATE_NOOP("reason", "The file you chose."),
    Why.PRIVATE: QT_TRANSLATE_NOOP("reason", "Nobody but this program may ask."),
    Why.OFFLINE: QT_TRANSLATE_NOOP("reason", "The engine loads nothing from the network."),
    Why.NO_PAGES: QT_TRANSLATE_NOOP("reason", "This window is its page."),
    Why.STOP_SEEN: QT_TRANSLATE_NOOP("reason", "Shows that Stop has stopped it."),
    Why.MEASURED: QT_TRANSLATE_NOOP(
        "reason", "Makes the engine say what it takes, to compare it with the plan."
    ),
    Why.WORKERS: QT_TRANSLATE_NOOP(
        "reason", "Machines that hold a part of the model. What goes there is not encrypted."
    ),
    Why.PLAN_DECIDES: QT_TRANSLATE_NOOP("reason", "This plan decides, not the engine."),
}


def reason_words(reason: Reason) -> str:
    """Why a value is what it is."""
    template = QCoreApplication.translate(CONTEXT, str(WORDS[reason.why]))
    return fill(template, {name: _shown(name, value) for name, value in reason.params.items()})


def _shown(name: str, value: str) -> str:
    if name == "mode":
        return mode_word(OptimizationMode(value))
    return count_text(int(value)) if value.isdecimal() else value
