"""Whether an engine answers, and whether it is at work."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from http import HTTPStatus
from typing import Any

from rony_desktop.contract.engine import Endpoint
from rony_desktop.net import client, get_status

POLL_S = 0.05
POLL_TIMEOUT_S = 5.0
# A busy machine may take its time.
PATIENCE_S = 5.0


class Health(StrEnum):
    """What GET /health says; SILENT where nobody answers in time."""

    READY = "ready"
    LOADING = "loading"
    SILENT = "silent"


def answers(endpoint: Endpoint, timeout_s: float) -> bool:
    """Whether /health is good; blocks. Its answer does not prove that the model works."""
    return _health(endpoint, timeout_s) is Health.READY


async def check(endpoint: Endpoint, timeout_s: float) -> Health:
    """What /health says, asked once."""
    return await asyncio.to_thread(_health, endpoint, timeout_s)


def _health(endpoint: Endpoint, timeout_s: float) -> Health:
    try:
        status = get_status(endpoint, "/health", timeout_s)
    except OSError:
        return Health.SILENT
    if status == HTTPStatus.OK:
        return Health.READY
    return Health.LOADING if status == HTTPStatus.SERVICE_UNAVAILABLE else Health.SILENT


async def until_ready(endpoint: Endpoint) -> None:
    """Return when the engine has loaded its model; cancel it to stop waiting."""
    while await check(endpoint, POLL_TIMEOUT_S) is not Health.READY:  # noqa: ASYNC110 - another process
        await asyncio.sleep(POLL_S)


async def slot_idle(endpoint: Endpoint, timeout_s: float = PATIENCE_S) -> bool | None:
    """Whether no slot is at work; None where the inference loop does not say so in time."""
    status, slots = await _ask(endpoint, "GET", "/slots", timeout_s)
    if status != HTTPStatus.OK or not isinstance(slots, list):
        return None
    return not any(slot.get("is_processing") for slot in slots)


async def context_size(endpoint: Endpoint, timeout_s: float = PATIENCE_S) -> int | None:
    """Tokens that one conversation can hold; None where the engine does not say so in time."""
    status, props = await _ask(endpoint, "GET", "/props", timeout_s)
    if status != HTTPStatus.OK or not isinstance(props, dict):
        return None
    settings = props.get("default_generation_settings")
    found = settings.get("n_ctx") if isinstance(settings, dict) else props.get("n_ctx")
    return found if isinstance(found, int) else None


async def completes(endpoint: Endpoint, timeout_s: float = PATIENCE_S) -> bool:
    """Whether the model produces one token."""
    body = {"prompt": "a", "n_predict": 1, "cache_prompt": False}
    return (await _ask(endpoint, "POST", "/completion", timeout_s, body))[0] == HTTPStatus.OK


async def examine(endpoint: Endpoint, timeout_s: float, patience_s: float = PATIENCE_S) -> bool:
    """Whether an engine under suspicion works: it answers, and its inference loop does too.

    The loop gets patience_s for each answer. A token is asked for only where no slot is at work.
    """
    if await check(endpoint, timeout_s) is not Health.READY:
        return False
    idle = await slot_idle(endpoint, patience_s)
    return await completes(endpoint, patience_s) if idle else idle is False


async def _ask(
    endpoint: Endpoint, method: str, path: str, timeout_s: float, body: object = None
) -> tuple[int, Any]:
    """Status and decoded answer; status 0 where none came within timeout_s."""
    import httpx

    try:
        async with asyncio.timeout(timeout_s), client(endpoint, timeout_s=timeout_s) as http:
            answer = await http.request(method, path, json=body)
            return answer.status_code, answer.json()
    except (httpx.HTTPError, TimeoutError, ValueError):
        return 0, None
