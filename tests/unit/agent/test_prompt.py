"""The system prompt: base, then persona; the same bytes every time."""

from __future__ import annotations

from rony_desktop.agent.context import ContextBuilder
from rony_desktop.agent.prompt import BASE, persona_text, system_prompt
from rony_desktop.contract.message import Message, Role
from rony_desktop.contract.persona import Persona
from rony_desktop.contract.session import Session

ANA = Persona(
    "ana",
    "Ana",
    "warm",
    "short",
    "Spanish",
    ("Never guess.",),
    (Message(Role.USER, "Hi"), Message(Role.ASSISTANT, "Hola")),
)


def test_the_base_stands_first_and_alone_without_a_persona() -> None:
    assert system_prompt().prompt() == BASE
    assert system_prompt(Persona("empty")).prompt() == BASE


def test_a_persona_follows_the_base() -> None:
    text = persona_text(ANA)
    assert text.splitlines() == [
        "Your name is Ana.",
        "Tone: warm.",
        "Style: short.",
        "Always answer in Spanish.",
        "- Never guess.",
    ]
    assert system_prompt(ANA).prompt() == f"{BASE}\n\n{text}"


def test_few_shot_pairs_go_before_every_history() -> None:
    request = ContextBuilder(system_prompt(ANA), ANA.few_shot).build("Adios", Session("s"))
    assert [m.content for m in request.messages] == ["Hi", "Hola", "Adios"]
