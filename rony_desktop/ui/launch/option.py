"""What the engine's options are about, in plain words."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

WORDS = {
    "-m": QT_TRANSLATE_NOOP("option", "Model file"),
    "--alias": QT_TRANSLATE_NOOP("option", "Name of the model"),
    "-c": QT_TRANSLATE_NOOP("option", "Context"),
    "-b": QT_TRANSLATE_NOOP("option", "Batch"),
    "-ub": QT_TRANSLATE_NOOP("option", "Part of a batch"),
    "-t": QT_TRANSLATE_NOOP("option", "Threads for writing"),
    "-tb": QT_TRANSLATE_NOOP("option", "Threads for reading"),
    "-ngl": QT_TRANSLATE_NOOP("option", "Layers on the GPU"),
    "-np": QT_TRANSLATE_NOOP("option", "Chats at a time"),
    "-fa": QT_TRANSLATE_NOOP("option", "Flash attention"),
    "-ctk": QT_TRANSLATE_NOOP("option", "Type of keys"),
    "-ctv": QT_TRANSLATE_NOOP("option", "Type of values"),
    "-cram": QT_TRANSLATE_NOOP("option", "Prompt cache, in MiB"),
    "-lv": QT_TRANSLATE_NOOP("option", "What it logs"),
    "-fit": QT_TRANSLATE_NOOP("option", "The engine's own plan"),
    "--fit": QT_TRANSLATE_NOOP("option", "The engine's own plan"),
    "--offline": QT_TRANSLATE_NOOP("option", "No network"),
    "--slots": QT_TRANSLATE_NOOP("option", "Shows what it works on"),
    "--cors-origins": QT_TRANSLATE_NOOP("option", "Who may ask"),
    "--no-ui": QT_TRANSLATE_NOOP("option", "No web page"),
    "--no-webui": QT_TRANSLATE_NOOP("option", "No web page"),
    "--no-repack": QT_TRANSLATE_NOOP("option", "Weights as in the file"),
    "--n-cpu-moe": QT_TRANSLATE_NOOP("option", "Layers whose experts stay in memory"),
    "--swa-full": QT_TRANSLATE_NOOP("option", "Whole cache of sliding layers"),
}


def option_words(option: str) -> str:
    """What an option is about, "" for one that is not known."""
    words = WORDS.get(option)
    return QCoreApplication.translate("option", str(words)) if words else ""
