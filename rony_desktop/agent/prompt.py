"""The built-in base of the system prompt.

Nothing that changes stands here (no clock, no folder, no load figure): the prompt's prefix must
stay the same from turn to turn, or the KV cache is lost.
"""

from __future__ import annotations

from rony_desktop.agent.system import SystemPrompt
from rony_desktop.contract.system import Section, Slot

BASE = (
    "You are Rony, a private assistant that runs on the user's own computer. "
    "Answer plainly and to the point. Say so when you do not know. "
    "Use Markdown where it helps the reader."
)


def base_system() -> SystemPrompt:
    """A system prompt that holds the base section."""
    system = SystemPrompt()
    system.use(Section(Slot.IDENTITY, "base", "built-in", lambda: BASE), "prompt:base")
    return system
