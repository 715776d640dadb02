"""The base of the prompt never changes, or the engine's cache of it is lost."""

from __future__ import annotations

from rony_desktop.agent.prompt import BASE, base_system
from rony_desktop.contract.system import Section, Slot


def test_the_prompt_is_the_base_and_always_the_same() -> None:
    assert base_system().prompt() == base_system().prompt() == BASE


def test_the_base_is_the_first_section() -> None:
    system = base_system()
    system.use(Section(Slot.RULES, "rule", "test", lambda: "Be kind."), "test")
    assert system.prompt() == f"{BASE}\n\nBe kind."
    assert [section.name for section in system.sections()] == ["base", "rule"]
