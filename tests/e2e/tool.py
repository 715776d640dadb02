"""Calls a scripted server asks for, and the card that asks about them, found by its colours."""

from __future__ import annotations

import json
import time
from typing import Any

from PySide6.QtCore import QRect

from tests.e2e.deadline import until
from tests.e2e.home import Chat
from tests.e2e.window import Window
from tests.fixture.model_server import ModelServer

SOON_S = 10.0
GUARD_S = 0.5
DONE = {"text": "All done."}


def calling(name: str, id: str = "call_0", **arguments: str) -> dict[str, Any]:
    """A reply that asks for a tool."""
    call = {"id": id, "name": name, "arguments": json.dumps(arguments)}
    return {"text": "", "tool_calls": [call], "finish": "tool_calls"}


def sent(server: ModelServer) -> list[dict[str, Any]]:
    """Every request for an answer, oldest first."""
    requests = [entry for entry in server.log() if entry["event"] == "request"]
    return [e["body"] for e in requests if e["path"] == "/v1/chat/completions"]


def told(server: ModelServer) -> str:
    """The last message the model was sent."""
    return str(sent(server)[-1]["messages"][-1]["content"])


def until_asked(window: Window, chat: Chat, call: str) -> QRect:
    """Where Allow is, once the card can be seen and takes clicks."""
    states = until(lambda: window.home.chat(chat.id).states(call), SOON_S, f"{call} is asked")
    assert states == ["asked"]
    allow = until(lambda: allow_button(window), SOON_S, "Allow can be seen")
    shown = time.monotonic()
    until(lambda: time.monotonic() > shown + GUARD_S, SOON_S, "Allow takes clicks")
    return allow


def allow_button(window: Window) -> QRect | None:
    """The lowest button of the accent colour that is wide; boxes and the menu's button are not."""
    wide = [box for box in window.filled() if box.width() > 50 and box.height() > 20]
    return wide[-1] if wide else None


def click(window: Window, box: QRect, right: int = 0) -> None:
    """Click a box, or what lies that much to the right of its left edge."""
    window.click((box.left() + right if right else box.center().x(), box.center().y()))


def ended(window: Window, chat: Chat) -> Chat:
    """The chat, once its answer has ended well."""

    def last() -> dict[str, Any] | None:
        end = window.home.chat(chat.id).end
        return end if end and end["stop_reason"] != "tool_use" else None

    end = until(last, SOON_S, "the answer is complete")
    assert end["stop_reason"] == "end_turn", end
    return window.home.chat(chat.id)
