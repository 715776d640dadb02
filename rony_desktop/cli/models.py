"""`models`: finding models, what there is here, taking over what other programs have, deleting."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from rony_desktop.app.context import AppContext
from rony_desktop.app.inventory import Inventory, take_inventory
from rony_desktop.app.lifecycle import opened
from rony_desktop.cli.newer import newer
from rony_desktop.cli.pull import pull
from rony_desktop.cli.terminal import read_line
from rony_desktop.contract.adopt import Found
from rony_desktop.contract.download import Download
from rony_desktop.contract.error import ModelUnknown
from rony_desktop.contract.hub import Candidate, HubModel
from rony_desktop.contract.model import ModelRef
from rony_desktop.contract.root import RootState
from rony_desktop.contract.size import gb

Action = Callable[[AppContext, argparse.Namespace], Awaitable[int]]
_STATES = {
    RootState.READY: "",
    RootState.MISSING: "not there now",
    RootState.UNREADABLE: "may not be read",
    RootState.SILENT: "does not answer",
}


async def models(options: argparse.Namespace) -> int:
    """Run one action; 1 where it did not do what was asked."""
    actions: dict[str, Action] = {
        "search": _search,
        "pull": pull,
        "newer": newer,
        "suggest": _suggest,
        "list": _list,
        "import": _import,
        "remove": _remove,
    }
    async with opened(trust=options.trust) as app:
        return await actions[options.action](app, options)


async def _search(app: AppContext, options: argparse.Namespace) -> int:
    found = await app.stock.hub.search(" ".join(options.words), options.limit)
    if options.json:
        _print({"models": [_hub_model(model) for model in found]})
        return 0
    for model in found:
        gated = "  its licence must be accepted first" if model.gated else ""
        print(f"{model.id}  {model.licence or 'no licence named'}, {model.downloads:,}x{gated}")
    if not found:
        print("The hub has no GGUF model of that name.")
    return 0


async def _suggest(app: AppContext, options: argparse.Namespace) -> int:
    found = await app.stock.discovery.suggestions()
    named = {"small": found.small, "balanced": found.balanced, "large": found.large}
    if options.json:
        _print({name: _candidate(one) if one else None for name, one in named.items()})
        return 0
    for name, one in named.items():
        if one:
            speed = f", about {one.tokens_per_s:.0f} tokens a second" if one.tokens_per_s else ""
            pulled = f"{one.entry.model}:{one.entry.quant}"
            print(f"{name:<9} {one.entry.name}: {gb(one.size_bytes)}{speed}  {pulled}")
    if not any(named.values()):
        print("No model of the list fits this computer.")
    return 0


async def _list(app: AppContext, options: argparse.Namespace) -> int:
    found = await take_inventory(app)
    if options.json:
        _print(as_json(found))
    else:
        print("\n".join(_text(found)))
    return 0


async def _import(app: AppContext, options: argparse.Namespace) -> int:
    adoption = app.stock.adoption
    if not options.found:
        if not options.path:
            print("rony-desktop: name a file or a folder, or use --found.", file=sys.stderr)
            return 2
        return _imported(await adoption.take(_path(options.path)), options)
    found = await adoption.find()
    if options.path:
        return _imported((await adoption.adopt(_named(found, options.path)),), options)
    if options.json:
        _print({"found": [_found(model) for model in found]})
        return 0
    for model in found:
        print(f"{model.name}  {gb(model.size_bytes)}, {model.program}")
    if not found:
        print("No other program here has a model that is not among yours.")
    return 0


async def _remove(app: AppContext, options: argparse.Namespace) -> int:
    await app.stock.downloads.restore(go_on=False)
    removal = await app.stock.removal.plan(options.name)
    frees = f"This frees {gb(removal.freed_bytes)}"
    if removal.linked:
        frees += "; the rest of it stays, under another name"
    if not options.yes:
        print(f"{frees}.", *map(str, removal.files), sep="\n  ", file=sys.stderr)
        answer = await read_line("Delete it? [y/N] ") if sys.stdin.isatty() else ""
        if (answer or "").strip().lower() not in ("y", "yes"):
            print("rony-desktop: nothing was deleted; --yes deletes it.", file=sys.stderr)
            return 1
    await app.stock.removal.remove(removal)
    if options.json:
        files = [str(file) for file in removal.files]
        _print({"removed": removal.name, "files": files, "freed_bytes": removal.freed_bytes})
    else:
        print(f"{removal.name} is deleted. {frees.replace('frees', 'freed')}.")
    return 0


def as_json(found: Inventory) -> dict[str, Any]:
    """What `models list --json` prints; sizes are bytes."""
    return {
        "models": [
            {
                "id": model.id,
                "path": str(model.path),
                "quant": model.quant or None,
                "size_bytes": model.size_bytes,
                "folder": str(model.folder),
            }
            for model in found.models
        ],
        "folders": [
            {
                "folder": str(root.folder),
                "state": root.state.value,
                "models": root.models,
                "writable": root.writable,
                "skipped": [str(path) for path in root.skipped],
            }
            for root in found.roots
        ],
        "unfinished": [_download(download) for download in found.unfinished],
    }


def _text(found: Inventory) -> Iterator[str]:
    for model in found.models:
        yield f"{model.id}  {model.quant or '-'}  {gb(model.size_bytes)}  {model.path.parent}"
    if not found.models:
        yield "No model is here yet: rony-desktop models suggest"
    for download in found.unfinished:
        share = download.step.done_bytes / download.size_bytes if download.size_bytes else 0.0
        yield f"unfinished  {download.model}:{download.quant.name}  {share:.0%} is here"
    for root in found.roots:
        if state := _STATES[root.state]:
            yield f"folder  {root.folder}  {state}"
        for path in root.skipped:
            yield f"skipped  {path}"


def _path(text: str) -> Path:
    return Path(text).expanduser()


def _named(found: Iterable[Found], name: str) -> Found:
    models = tuple(found)
    for model in models:
        if name == model.name:
            return model
    raise ModelUnknown(name=name, known=", ".join(m.name for m in models) or "none")


def _imported(taken: Iterable[ModelRef], options: argparse.Namespace) -> int:
    if options.json:
        _print({"imported": [{"id": model.id, "path": str(model.path)} for model in taken]})
    else:
        for model in taken:
            print(f"{model.id} can be used: {model.path}")
    return 0


def _hub_model(model: HubModel) -> dict[str, Any]:
    return {
        "id": model.id,
        "licence": model.licence or None,
        "downloads": model.downloads,
        "likes": model.likes,
        "gated": model.gated,
        "updated": model.updated.isoformat() if model.updated else None,
    }


def _candidate(one: Candidate) -> dict[str, Any]:
    return {
        "model": one.entry.model,
        "quant": one.entry.quant,
        "name": one.entry.name,
        "licence": one.entry.licence,
        "size_bytes": one.size_bytes,
        "tokens_per_s": one.tokens_per_s,
    }


def _found(model: Found) -> dict[str, Any]:
    return {
        "name": model.name,
        "program": model.program.value,
        "path": str(model.path),
        "size_bytes": model.size_bytes,
    }


def _download(download: Download) -> dict[str, Any]:
    return {
        "model": download.model,
        "quant": download.quant.name or None,
        "target": str(download.target),
        "done_bytes": download.step.done_bytes,
        "size_bytes": download.size_bytes,
    }


def _print(content: dict[str, Any]) -> None:
    print(json.dumps(content, ensure_ascii=False))
