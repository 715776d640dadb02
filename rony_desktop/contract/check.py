"""What the check of a model found: how its chat template behaves, and how it calls tools."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rony_desktop.contract.error import Failure


class ToolMode(StrEnum):
    """How a model is offered tools: in its own form, in the JSON envelope, or not at all."""

    NATIVE = "native"
    ENVELOPE = "envelope"
    NONE = "none"


class Shape(StrEnum):
    """A form of conversation that a chat template has to render.

    SYSTEM is a system text and a question, TURNS two turns behind one, TOOLS a question with tools
    declared, RESULT a call with the result of its tool.
    """

    SYSTEM = "system"
    TURNS = "turns"
    TOOLS = "tools"
    RESULT = "result"


class Part(StrEnum):
    """What of a conversation a template may leave out; LAST is the newest message of the user."""

    SYSTEM = "system"
    FIRST = "first"
    ANSWER = "answer"
    LAST = "last"
    TOOL = "tool"
    CALL = "call"
    RESULT = "result"


@dataclass(frozen=True, slots=True)
class ShapeCheck:
    """How one shape was rendered: words are the engine's where it failed."""

    shape: Shape
    dropped: tuple[Part, ...] = ()
    words: str = ""

    @property
    def works(self) -> bool:
        """Whether all of it is in the prompt."""
        return not (self.dropped or self.words)


@dataclass(frozen=True, slots=True)
class ToolScore:
    """Of the cases that were tried: how many replies were right, and how many readable at all."""

    right: int
    readable: int
    tried: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCheck:
    """What was found with one build of the engine.

    A score is None where that form was not tried: native where the template knows no tools, the
    envelope where native is good. failure says why the model could not be checked any further.
    """

    build: str
    mode: ToolMode
    shapes: tuple[ShapeCheck, ...] = ()
    native: ToolScore | None = None
    envelope: ToolScore | None = None
    failure: Failure | None = None

    @property
    def loses_last(self) -> bool:
        """Whether some shape leaves out the user's newest message: such a model cannot chat."""
        return any(Part.LAST in shape.dropped for shape in self.shapes)
