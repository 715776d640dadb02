"""What the doctor found, in words of the user's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QCoreApplication

from rony_desktop.app.check import Check, Found, Status, shareable
from rony_desktop.contract.error import Failure, fill
from rony_desktop.ui.error import words as error_words
from rony_desktop.ui.number import count_text, size_text

_COUNTS = ("cores", "context")


def title(name: str) -> str:
    """What was looked at."""
    tr = QCoreApplication.translate
    titles = {
        "system": tr("doctor", "Program"),
        "folders": tr("doctor", "Folders"),
        "disk": tr("doctor", "Disk"),
        "settings": tr("doctor", "Settings"),
        "sandbox": tr("doctor", "Sandbox"),
        "memory": tr("doctor", "Memory"),
        "processor": tr("doctor", "Processor"),
        "power": tr("doctor", "Power"),
        "engine": tr("doctor", "Engine"),
        "gpu": tr("doctor", "Graphics"),
        "model": tr("doctor", "Model"),
    }
    return titles.get(name, name)


def status_word(status: Status) -> str:
    """How a check ended."""
    tr = QCoreApplication.translate
    return {
        "ok": tr("doctor", "OK"),
        "warning": tr("doctor", "Warning"),
        "failed": tr("doctor", "Failed"),
    }[status]


def words(check: Check) -> tuple[str, str]:
    """The sentence of a check, and what to do about it."""
    sentences = _sentences()
    if check.code not in sentences:
        text = error_words(Failure(check.code, check.params))
        return text.sentence, text.remedy
    params = _shown(check.params)
    if check.cause:
        params["cause"] = error_words(check.cause).sentence
    remedy = _remedies().get(check.code, "")
    return fill(sentences[check.code], params), fill(remedy, params)


def report_text(checks: Iterable[Check]) -> str:
    """Everything that was found as plain text for others: no secrets, the home folder is ~."""
    lines = []
    for check in checks:
        sentence, remedy = words(check)
        lines.append(f"{status_word(check.status)}: {title(check.name)}: {sentence}")
        lines += [f"    {remedy}"] if remedy else []
    return shareable("\n".join(lines))


def _shown(params: Mapping[str, str]) -> dict[str, str]:
    shown = dict(params)
    for name, value in params.items():
        if name.endswith("_bytes"):
            shown[name] = size_text(int(value))
        elif name in _COUNTS:
            shown[name] = count_text(int(value))
    if "mode" in params:
        shown["mode"] = _border(params["mode"])
    return shown


def _border(mode: str) -> str:
    tr = QCoreApplication.translate
    borders = {
        "openat2": tr("doctor", "the kernel"),
        "walk": tr("doctor", "a walk that follows no link"),
        "handle": tr("doctor", "the system's handles"),
    }
    return borders.get(mode, mode)


def _sentences() -> dict[str, str]:
    return {**_program(), **_computer(), **_engine()}


def _program() -> dict[str, str]:
    tr = QCoreApplication.translate
    return {
        Found.SYSTEM: tr("doctor", "Rony Desktop {version}, Python {python}, {system}"),
        Found.FOLDERS: tr("doctor", "Chats in {data}, settings in {config}"),
        Found.DISK: tr("doctor", "{free_bytes} free for {folder}"),
        Found.DISK_SHORT: tr("doctor", "Only {free_bytes} free for {folder}"),
        Found.SETTINGS: tr("doctor", "Read from {path}"),
        Found.SETTINGS_DEFAULT: tr("doctor", "The defaults; there is no settings file"),
        Found.SANDBOX: tr("doctor", "File tools are held in their folder by {mode}"),
        Found.SANDBOX_BROKEN: "{cause}",
    }


def _computer() -> dict[str, str]:
    tr = QCoreApplication.translate
    return {
        Found.MEMORY: tr("doctor", "{free_bytes} of {total_bytes} free"),
        Found.MEMORY_HELD: tr(
            "doctor", "{free_bytes} of {total_bytes} free; models hold {held_bytes}"
        ),
        Found.PROCESSOR: tr("doctor", "{processor}"),
        Found.PROCESSOR_FULL: tr("doctor", "{processor}, with AVX2 and AVX-512"),
        Found.PROCESSOR_LACKS: tr("doctor", "{processor}, without {missing}"),
        Found.PROCESSOR_OLD: tr(
            "doctor", "{processor}, without {missing}: many engine builds do not run on it"
        ),
        Found.MAINS: tr("doctor", "Plugged in"),
        Found.BATTERY: tr("doctor", "On battery: answers may be slower than predicted"),
        Found.GPU: tr("doctor", "{gpu} ({device}), {free_bytes} of {total_bytes} free"),
        Found.GPU_PLAIN: tr("doctor", "{gpu} ({device}), its memory is not known"),
        Found.GPU_NONE: tr("doctor", "None that could be used; models run on the processor"),
        Found.GPU_UNLISTED: tr(
            "doctor",
            "{gpu} is there, but {engine} does not list it: its driver is missing, or the engine "
            "is built without it",
        ),
        Found.GPU_UNASKED: tr(
            "doctor", "{gpu} is there, but no engine could say whether it can use it"
        ),
    }


def _engine() -> dict[str, str]:
    tr = QCoreApplication.translate
    return {
        Found.ENGINE: tr("doctor", "{engine} computes"),
        Found.ENGINE_OLD: tr(
            "doctor", "{engine} computes, but a model file can attack builds below b{floor}"
        ),
        Found.ENGINE_SPARE: tr("doctor", "{engine}: {cause}"),
        Found.ENGINE_BROKEN: tr("doctor", "{engine}: {cause}"),
        Found.ENGINE_NONE: tr("doctor", "No engine works on this computer"),
        Found.MODEL: tr(
            "doctor", "{model}: {architecture} {quant}, {size_bytes}, context {context}"
        ),
        Found.MODEL_ELSEWHERE: tr("doctor", "{model}"),
    }


def _remedies() -> dict[str, str]:
    tr = QCoreApplication.translate
    return {
        Found.DISK_SHORT: tr("doctor", "Free some space; chats need a little, models a lot."),
        Found.SANDBOX_BROKEN: tr("doctor", "Tools cannot be used until this is solved."),
        Found.PROCESSOR_OLD: tr("doctor", "Set llama.binary_path to a build that needs neither."),
        Found.ENGINE_OLD: tr("doctor", "Install a newer build under Engine."),
        Found.ENGINE_SPARE: tr("doctor", "Nothing to do where another engine works."),
        Found.ENGINE_BROKEN: tr(
            "doctor", "Correct llama.binary_path, or remove it to use the engine of the program."
        ),
        Found.ENGINE_NONE: tr("doctor", "Set llama.binary_path to a llama-server that runs here."),
        Found.GPU_UNLISTED: tr(
            "doctor",
            "Install the card's driver, or set llama.binary_path to an engine for it; until then "
            "models run on the processor.",
        ),
        Found.GPU_UNASKED: tr("doctor", "Until then models run on the processor."),
    }
