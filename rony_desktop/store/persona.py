"""Personas from YAML files: the user's own, else those that come with the program."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from rony_desktop.contract.error import ConfigUnreadable, OutsideFolder, PersonaError
from rony_desktop.contract.message import Message, Role
from rony_desktop.contract.persona import Persona
from rony_desktop.store.config_source import read_file
from rony_desktop.store.guard import DirectoryGuard


class _Pair(BaseModel):
    """One few-shot pair: what the user says, what the assistant answers."""

    model_config = ConfigDict(extra="forbid")
    user: str
    assistant: str


class _File(BaseModel):
    """A persona file; keys of newer versions are left alone."""

    model_config = ConfigDict(extra="ignore")
    name: str = ""
    tone: str = ""
    style: str = ""
    language: str = ""
    constraints: Sequence[str] = ()
    few_shot: Sequence[_Pair] = ()


class YamlPersonaLoader:
    """Finds personas by id, which is the name of their file. Blocking."""

    def __init__(self, folder: Path) -> None:
        shipped = Path(str(resources.files("personas")))
        self._folders = (folder, shipped)

    def named(self, id: str) -> Persona:
        """The persona of that id.

        Raises:
            PersonaError: there is none, or its file cannot be used.
        """
        for folder in self._folders:
            try:
                path = DirectoryGuard(folder).resolve(f"{id}.yaml")
            except OutsideFolder as error:
                raise PersonaError(name=id, detail="that is no name") from error
            if path.exists():
                return self.load(path)
        files = (file.stem for folder in self._folders for file in folder.glob("*.yaml"))
        known = ", ".join(sorted(set(files)))
        raise PersonaError(name=id, detail=f"there is none of that name; known are {known}")

    def load(self, path: Path) -> Persona:
        """The persona of one file.

        Raises:
            PersonaError: the file cannot be read or is not a persona.
        """
        try:
            file = _File.model_validate(read_file(path).values)
        except ConfigUnreadable as error:
            raise PersonaError(name=path.name, detail=error.params["where"]) from error
        except ValidationError as error:
            wrong = error.errors()[0]
            key = ".".join(str(part) for part in wrong["loc"])
            raise PersonaError(name=path.name, detail=f"{key}: {wrong['msg']}") from error
        few_shot = (
            message
            for pair in file.few_shot
            for message in (Message(Role.USER, pair.user), Message(Role.ASSISTANT, pair.assistant))
        )
        return Persona(
            id=path.stem,
            name=file.name,
            tone=file.tone,
            style=file.style,
            language=file.language,
            constraints=tuple(file.constraints),
            few_shot=tuple(few_shot),
        )
