"""Personas: shipped ones, the user's own before them, and files that are wrong."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from rony_desktop.contract.error import PersonaError
from rony_desktop.contract.message import Message, Role
from rony_desktop.store.persona import YamlPersonaLoader

WHOLE = """\
name: Ana
tone: warm
style: short
language: Spanish
constraints: [Never guess.]
few_shot:
  - user: Hi
    assistant: Hola
future_key: 1
"""


def test_persona_loader_from_yaml(tmp_path: Path) -> None:
    (tmp_path / "ana.yaml").write_text(WHOLE)
    persona = YamlPersonaLoader(tmp_path).named("ana")
    assert (persona.id, persona.name, persona.language) == ("ana", "Ana", "Spanish")
    assert persona.constraints == ("Never guess.",)
    assert persona.few_shot == (Message(Role.USER, "Hi"), Message(Role.ASSISTANT, "Hola"))


def test_every_shipped_persona_can_be_used(tmp_path: Path) -> None:
    names = [
        file.name.removesuffix(".yaml")
        for file in resources.files("personas").iterdir()
        if file.name.endswith(".yaml")
    ]
    assert len(names) >= 2
    for name in names:
        assert YamlPersonaLoader(tmp_path).named(name).constraints


def test_the_users_own_comes_before_the_shipped(tmp_path: Path) -> None:
    (tmp_path / "concise.yaml").write_text("name: Mine\n")
    assert YamlPersonaLoader(tmp_path).named("concise").name == "Mine"


@pytest.mark.parametrize("name", ["absent", "../concise", "", "/etc/passwd", "a\0b"])
def test_a_name_that_leads_nowhere_is_said(tmp_path: Path, name: str) -> None:
    with pytest.raises(PersonaError):
        YamlPersonaLoader(tmp_path).named(name)


@pytest.mark.parametrize(
    "text", ["- a list", "name: [1]", "few_shot: [{user: x}]", "a: [", "constraints: 5", "&a [*a]"]
)
def test_a_wrong_file_is_said_with_its_name(tmp_path: Path, text: str) -> None:
    (tmp_path / "bad.yaml").write_text(text)
    with pytest.raises(PersonaError, match=r"bad\.yaml"):
        YamlPersonaLoader(tmp_path).named("bad")
