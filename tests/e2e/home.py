"""What the program keeps below the folders of a test, read from outside."""

from __future__ import annotations

import contextlib
import json
import os
import socket
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import psutil

ANSWER_S = 10.0


@dataclass(frozen=True)
class Chat:
    """One session file as it is now; a line that is still being written does not count."""

    id: str
    entries: tuple[dict[str, Any], ...]

    @property
    def questions(self) -> list[str]:
        """What the user said, oldest first."""
        return [
            entry["body"]["content"]
            for entry in self.entries
            if entry["kind"] == "message" and entry["body"]["role"] == "user"
        ]

    @property
    def answer(self) -> str:
        """Id of the newest answer."""
        made = [
            entry["id"]
            for entry in self.entries
            if entry["kind"] == "message" and entry["body"]["role"] == "assistant"
        ]
        return made[-1] if made else ""

    @property
    def deltas(self) -> list[dict[str, Any]]:
        """The pieces of the newest answer."""
        return [e for e in self.entries if e["kind"] == "delta" and e["parent"] == self.answer]

    @property
    def text(self) -> str:
        """The newest answer as far as it is written."""
        return "".join(entry["body"].get("text", "") for entry in self.deltas)

    @property
    def end(self) -> dict[str, Any] | None:
        """How the newest answer ended; None while it runs."""
        ends = [e for e in self.entries if e["kind"] == "end" and e["parent"] == self.answer]
        return ends[-1]["body"] if ends else None

    def states(self, call: str) -> list[str]:
        """How far a tool call has come, first state first."""
        marks = (entry["body"] for entry in self.entries if entry["kind"] == "tool")
        return [body["state"] for body in marks if body["call"] == call]

    def result(self, call: str) -> dict[str, Any] | None:
        """What the model is told of a call: content and the rest; None while there is nothing."""
        bodies = (entry["body"] for entry in self.entries if entry["kind"] == "message")
        return next((body for body in bodies if body.get("tool_call_id") == call), None)

    @property
    def kept_at(self) -> datetime:
        """When the newest piece was written."""
        return datetime.fromisoformat(self.deltas[-1]["time"])


class Lent:
    """The running window's engine, as it lends it to other programs."""

    def __init__(self, found: dict[str, Any]) -> None:
        self.model = str(found["model"])
        self._http = httpx.Client(
            transport=httpx.HTTPTransport(uds=found["socket"] or None),
            base_url=found["base_url"],
            headers={"Authorization": f"Bearer {found['key']}"},
            timeout=ANSWER_S,
        )

    def close(self) -> None:
        self._http.close()

    def is_busy(self) -> bool:
        """Whether a slot is at work."""
        return any(slot["is_processing"] for slot in self._slots())

    def tokens_read(self) -> int:
        """Tokens of the prompt that were read so far; it grows batch by batch."""
        return max(int(slot.get("n_prompt_tokens_processed", 0)) for slot in self._slots())

    def _slots(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._http.get("/slots").json()
        return found


class Home:
    """The folders of one test."""

    def __init__(self) -> None:
        self.config = Path(os.environ["XDG_CONFIG_HOME"]) / "rony" / "config.yaml"
        self.data = Path(os.environ["XDG_DATA_HOME"]) / "rony"
        self.cache = Path(os.environ["XDG_CACHE_HOME"]) / "rony"
        self.logs = Path(os.environ["XDG_STATE_HOME"]) / "rony" / "logs"
        self.run = Path(os.environ["XDG_RUNTIME_DIR"]) / "rony"
        self.sessions = self.data / "users" / "local" / "sessions"

    def chat(self, id: str) -> Chat:
        """A chat as its file stands."""
        entries = []
        for line in (self.sessions / f"{id}.jsonl").read_text("utf-8").splitlines()[1:]:
            with contextlib.suppress(ValueError):
                entries.append(json.loads(line))
        return Chat(id, tuple(entries))

    def chats(self) -> list[Chat]:
        """Every chat, oldest first."""
        return [self.chat(path.stem) for path in sorted(self.sessions.glob("*.jsonl"))]

    def log(self, name: str = "app.log") -> str:
        """A log file as it stands."""
        file = self.logs / name
        return file.read_text("utf-8") if file.exists() else ""

    def configure(self, text: str | bytes) -> None:
        """Write the settings file."""
        self.config.parent.mkdir(parents=True, exist_ok=True)
        self.config.write_bytes(text.encode() if isinstance(text, str) else text)

    def lent(self) -> Lent | None:
        """The engine of the running window; None until it is ready."""
        found = self.answered()
        return Lent(found) if found and "base_url" in found else None

    def answered(self) -> dict[str, Any] | None:
        """What the running window says when it is asked for its engine; None: there is none."""
        with socket.socket(socket.AF_UNIX) as asked:
            asked.settimeout(ANSWER_S)
            try:
                asked.connect(str(self.run / "window.sock"))
                asked.sendall(b'{"want": "engine"}\n')
                answer: dict[str, Any] = json.loads(asked.makefile().readline())
            except (OSError, ValueError):
                return None
        return answer

    def engines(self) -> list[psutil.Process]:
        """The engines that run, by the records the program keeps of them."""
        found = []
        for file in self.run.glob("engine-*.json"):
            with contextlib.suppress(OSError, ValueError, psutil.NoSuchProcess):
                found.append(psutil.Process(json.loads(file.read_text("utf-8"))["pid"]))
        return found


def is_gone(process: psutil.Process) -> bool:
    """Whether a process has ended; one that nobody waited for has."""
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
