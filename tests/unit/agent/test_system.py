"""Sections: order, replacement, observer with replay."""

from __future__ import annotations

from rony_desktop.agent.system import SystemPrompt
from rony_desktop.contract.system import Section, Slot, SystemChange


def section(name: str, slot: Slot = Slot.RULES, text: str = "") -> Section:
    return Section(slot, name, "test", lambda: text or name)


def test_slots_come_before_insertion_order() -> None:
    system = SystemPrompt()
    system.use(section("late", Slot.ENVIRONMENT), "t")
    system.use(section("b"), "t")
    system.use(section("a"), "t")
    system.use(section("first", Slot.IDENTITY), "t")
    assert system.prompt() == "first\n\nb\n\na\n\nlate"


def test_replacing_keeps_the_place_and_empty_is_left_out() -> None:
    system = SystemPrompt()
    system.use(section("a"), "t")
    system.use(section("b"), "t")
    system.use(section("a", text="new"), "t")
    assert system.prompt() == "new\n\nb"
    system.use(Section(Slot.RULES, "a", "test", lambda: " "), "t")
    assert system.prompt() == "b"


def test_a_section_is_rendered_once_until_it_is_refreshed() -> None:
    texts = iter(["one", "two"])
    system = SystemPrompt()
    system.use(Section(Slot.RULES, "a", "test", lambda: next(texts)), "t")
    assert system.prompt() == system.prompt() == "one"
    system.refresh("a", "t")
    assert system.prompt() == "two"


def test_the_observer_is_told_what_is_there_and_what_changes() -> None:
    system = SystemPrompt()
    system.use(section("a"), "t")
    seen: list[SystemChange] = []
    system.set_observer(seen.append)
    system.drop("a", "me")
    system.drop("unknown", "me")
    assert seen == [SystemChange("a", True, "system:init"), SystemChange("a", False, "me")]
