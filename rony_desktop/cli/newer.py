"""`models newer`: what the hub has newer of what was downloaded; `models pull` gets it."""

from __future__ import annotations

import argparse
import json
from typing import Any

from rony_desktop.app.context import AppContext
from rony_desktop.contract.error import HubWithheld
from rony_desktop.contract.revision import Revision
from rony_desktop.contract.size import gb


async def newer(app: AppContext, options: argparse.Namespace) -> int:
    """List them under the names `models pull` takes. Raises HubError."""
    revisions = app.stock.revisions
    count, found, withheld = len(await revisions.origins()), list[Revision](), None
    try:
        async for revision in revisions.newer():
            found.append(revision)
            if not options.json:
                print(_text(revision))
    except HubWithheld as error:
        withheld = error
    if options.json:
        content = {"asked": count, "newer": [_as_json(revision) for revision in found]}
        print(json.dumps(content, ensure_ascii=False))
    elif count == 0:
        print("Nothing was downloaded yet: rony-desktop models search")
    elif not found and not withheld:
        print("What you downloaded is the newest there is.")
    if withheld:
        raise withheld
    return 0


def _name(revision: Revision) -> str:
    return f"{revision.offered.model}:{revision.path.name}"


def _text(revision: Revision) -> str:
    changed, every = len(revision.changed), len(revision.offered.files)
    files = "changed" if every == 1 else f"{changed} of {every} files changed"
    return f"{_name(revision)}  {files}, {gb(revision.fetched_bytes)} to download"


def _as_json(revision: Revision) -> dict[str, Any]:
    return {
        "name": _name(revision),
        "model": revision.offered.model,
        "quant": revision.offered.name or None,
        "path": str(revision.path),
        "changed": [file.name for file in revision.changed],
        "download_bytes": revision.fetched_bytes,
        "here": revision.had.revision,
        "there": revision.offered.revision,
    }
