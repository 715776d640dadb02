"""The system prompt: base, persona, instructions, tools; the same bytes every time."""

from __future__ import annotations

from rony_desktop.agent.context import ContextBuilder, Frame
from rony_desktop.agent.prompt import BASE, TOOLS, persona_text, system_prompt
from rony_desktop.contract.message import Message, Role
from rony_desktop.contract.persona import Persona
from rony_desktop.contract.session import Session
from tests.fake.agent import FRAME

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
    request = ContextBuilder(Frame(system_prompt(ANA), FRAME.limits, ANA.few_shot)).build(
        "Adios", Session("s")
    )
    assert [m.content for m in request.messages] == ["Hi", "Hola", "Adios"]


def test_the_use_of_tools_comes_last() -> None:
    text = system_prompt(ANA, "Speak softly.\n", tools=True).prompt()
    assert text == "\n\n".join((BASE, persona_text(ANA), "Speak softly.", TOOLS))
    assert system_prompt(instructions=" \n").prompt() == BASE
