"""The root of the error tree, what the button of an error does, and an error as a value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar


class Action(StrEnum):
    """What the one button of an error card does."""

    NONE = ""
    RETRY = "retry"
    CHOOSE_MODEL = "choose_model"
    NEW_CHAT = "new_chat"
    OPEN_LOG = "open_log"
    OPEN_CONFIG = "open_config"
    OPEN_DATA = "open_data"
    OPEN_PLAN = "open_plan"
    FIND_MODEL = "find_model"


@dataclass(frozen=True, slots=True)
class Failure:
    """An error as a value: what events, sessions and the window carry."""

    code: str
    params: Mapping[str, str] = field(default_factory=dict)

    def error(self) -> RonyError:
        """This value as an error that can be raised."""
        return error_class(self.code)(**self.params)

    def __str__(self) -> str:
        """The English sentence and remedy, for the command line and the log."""
        kind = error_class(self.code)
        return f"{fill(kind.sentence, self.params)} {fill(kind.remedy, self.params)}".strip()


class RonyError(Exception):
    """Root of the tree; subclasses set code, sentence and remedy, callers give the parameters."""

    code: ClassVar[str] = "error"
    sentence: ClassVar[str] = "Something went wrong: {detail}."
    remedy: ClassVar[str] = "Try again; the log says more."
    action: ClassVar[Action] = Action.RETRY

    def __init__(self, **params: object) -> None:
        self.params = {name: str(value) for name, value in params.items()}
        super().__init__(params)

    def __str__(self) -> str:
        return str(self.failure())

    def failure(self) -> Failure:
        """This error as a value."""
        return Failure(self.code, self.params)


def fill(template: str, params: Mapping[str, str]) -> str:
    """Put parameters into a template; one that is missing shows as its name."""
    return template.format_map(_Named(params))


class _Named(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return key


def error_classes() -> Iterator[type[RonyError]]:
    """Every class of the tree, the root first."""
    pending = [RonyError]
    while pending:
        kind = pending.pop(0)
        yield kind
        pending.extend(kind.__subclasses__())


def error_class(code: str) -> type[RonyError]:
    """The class of a code; the root where the code is unknown (a file of a newer version)."""
    return next((kind for kind in error_classes() if kind.code == code), RonyError)
