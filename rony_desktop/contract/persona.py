"""Who the assistant is."""

from __future__ import annotations

from dataclasses import dataclass

from rony_desktop.contract.message import Message


@dataclass(frozen=True, slots=True)
class Persona:
    """A persona as its YAML file gives it; empty fields keep the defaults."""

    id: str
    name: str = ""
    tone: str = ""
    style: str = ""
    language: str = ""
    constraints: tuple[str, ...] = ()
    few_shot: tuple[Message, ...] = ()
