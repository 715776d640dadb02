"""`doctor`: what works on this computer, what does not, and what to do about it."""

from __future__ import annotations

import argparse
import asyncio
import json

from rony_desktop.app.check import Check, Found
from rony_desktop.app.doctor import examine
from rony_desktop.app.factory import create_app
from rony_desktop.contract.error import BinaryUnusable, Failure, error_class, fill
from rony_desktop.contract.size import GB

SIGN = {"ok": "ok  ", "warning": "warn", "failed": "FAIL"}
BORDERS = {
    "openat2": "the kernel (openat2)",
    "walk": "a walk of handles that follows no link",
    "handle": "the system's handles",
}
SENTENCES: dict[str, str] = {
    Found.SYSTEM: "Rony Desktop {version}, Python {python}, {system}",
    Found.FOLDERS: "data {data}, settings {config}",
    Found.DISK: "{free} GB free for {folder}",
    Found.DISK_SHORT: "{free} GB free for {folder}",
    Found.SETTINGS: "{path}",
    Found.SETTINGS_DEFAULT: "the defaults; there is no settings file",
    Found.SANDBOX: "file tools are held in their folder by {border}",
    Found.SANDBOX_BROKEN: "{cause}",
    Found.MEMORY: "{free} of {total} GB free, {cores} cores",
    Found.MEMORY_HELD: "{free} of {total} GB free, {cores} cores; models hold {held} GB",
    Found.PROCESSOR: "{processor}",
    Found.PROCESSOR_FULL: "{processor}, with AVX2 and AVX-512",
    Found.PROCESSOR_LACKS: "{processor}, without {missing}",
    Found.PROCESSOR_OLD: "{processor}, without {missing}: many engine builds do not run on it",
    Found.MAINS: "plugged in",
    Found.BATTERY: "on battery: answers may be slower than predicted",
    Found.ENGINE: "{engine} (build {build}) computes",
    Found.ENGINE_OLD: "{engine} (build {build}) computes, but a model file can attack builds "
    "below b{floor}",
    Found.ENGINE_SPARE: "{engine}: {cause}",
    Found.ENGINE_BROKEN: "{engine}: {cause}",
    Found.ENGINE_NONE: "no engine works on this computer",
    Found.GPU: "{device}: {gpu}, {free} of {total} GB free",
    Found.GPU_PLAIN: "{device}: {gpu}, memory not known",
    Found.GPU_NONE: "none that could be used; models run on the processor",
    Found.GPU_UNLISTED: "{gpu} is there, but {engine} does not list it: its driver is missing, "
    "or the engine is built without it",
    Found.GPU_UNASKED: "{gpu} is there, but no engine could say whether it can use it",
    Found.MODEL: "{model}: {architecture} {quant}, {size} GB, context {context}",
    Found.MODEL_ELSEWHERE: "{model}",
}
REMEDIES: dict[str, str] = {
    Found.DISK_SHORT: "Free some space; chats need a little, models a lot.",
    Found.SANDBOX_BROKEN: "Tools cannot be used until this is solved.",
    Found.PROCESSOR_OLD: "Set llama.binary_path to a build that needs neither.",
    Found.ENGINE_OLD: "Install one: rony-desktop engine install.",
    Found.ENGINE_SPARE: "Nothing, where another engine works.",
    Found.ENGINE_BROKEN: BinaryUnusable.remedy,
    Found.ENGINE_NONE: "Set llama.binary_path to a llama-server that runs here.",
    Found.GPU_UNLISTED: "Install the card's driver, or set llama.binary_path to an engine for it; "
    "until then models run on the processor.",
    Found.GPU_UNASKED: "Until then models run on the processor.",
}


async def doctor(options: argparse.Namespace) -> int:
    """Print every check; 1 where one failed."""
    app = await asyncio.to_thread(create_app, trust=options.trust)
    try:
        checks = [check async for check in examine(app, options.model or "")]
    finally:
        await app.store.aclose()
        await asyncio.to_thread(app.workspaces.close)
    good = all(check.status != "failed" for check in checks)
    if options.json:
        print(json.dumps({"ok": good, "checks": [as_json(check) for check in checks]}))
    else:
        for check in checks:
            print(_line(check))
    return 0 if good else 1


def as_json(check: Check) -> dict[str, str]:
    """A check as `doctor --json` prints it; remedy is empty where all is well."""
    detail, remedy = words(check)
    return {
        "name": check.name,
        "status": check.status,
        "code": check.code,
        "detail": detail,
        "remedy": remedy,
    }


def words(check: Check) -> tuple[str, str]:
    """The sentence of a check, and what to do about it."""
    if check.code not in SENTENCES:
        return _error(Failure(check.code, check.params))
    params = dict(_shown(*each) for each in check.params.items())
    if check.cause:
        params["cause"] = _error(check.cause)[0]
    sentence, remedy = SENTENCES[check.code], REMEDIES.get(check.code, "")
    return fill(sentence, params), fill(remedy, params)


def _error(failure: Failure) -> tuple[str, str]:
    kind = error_class(failure.code)
    return fill(kind.sentence, failure.params), fill(kind.remedy, failure.params)


def _shown(name: str, value: str) -> tuple[str, str]:
    """A parameter as the sentences name it: sizes in GB, the border in words."""
    if name.endswith("_bytes"):
        size = int(value) / GB
        return name.removesuffix("_bytes"), f"{size:.1f}" if size >= 1 else f"{size:.2f}"
    return ("border", BORDERS.get(value, value)) if name == "mode" else (name, value)


def _line(check: Check) -> str:
    detail, remedy = words(check)
    text = f"{SIGN[check.status]}  {check.name:<12} {detail}"
    return f"{text}\n      {'':<12} {remedy}" if remedy else text
