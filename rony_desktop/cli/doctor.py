"""`doctor`: what works on this computer, what does not, and what to do about it."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from rony_desktop.app.doctor import Check, examine

SIGN = {"ok": "ok  ", "warning": "warn", "failed": "FAIL"}


async def doctor(options: argparse.Namespace) -> int:
    """Print every check; 1 where one failed."""
    checks = [check async for check in examine(options.model, trust=options.trust)]
    good = all(check.status != "failed" for check in checks)
    if options.json:
        print(json.dumps({"ok": good, "checks": [asdict(check) for check in checks]}))
    else:
        for check in checks:
            print(_line(check))
    return 0 if good else 1


def _line(check: Check) -> str:
    text = f"{SIGN[check.status]}  {check.name:<12} {check.detail}"
    return f"{text}\n      {'':<12} {check.remedy}" if check.remedy else text
