"""A model that answers from a list: deterministic, for tests and for trying the program out."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Self

from rony_desktop.contract.error import ConfigUnreadable, ConfigValue, ProviderRefused
from rony_desktop.contract.llm import (
    CompletionRequest,
    CompletionResponse,
    ProviderCapabilities,
    StopReason,
    StreamChunk,
    TokenUsage,
    collected,
)
from rony_desktop.contract.message import Message, Role

NAME = "scripted"
DEFAULT = "*"
_WORD = re.compile(r"\s*\S+\s*")


class ScriptedClient:
    """Answers with the response of the first rule whose match is in the newest user message.

    A rule is {"match": ..., "response": ...}; case does not count, and the rule "*" answers where
    no other does. Answers stream by words, and usage counts words. Where an answer of a schema is
    wanted, a response that is no JSON object is the final text of one: a rule may call a tool by
    {"tool": ..., "args": {...}}.
    """

    def __init__(self, rules: Sequence[Mapping[str, str]]) -> None:
        self._rules = [(rule["match"].casefold(), rule["response"]) for rule in rules]

    @classmethod
    def from_file(cls, path: Path) -> Self:
        """Read the rules from a JSON file. Blocking.

        Raises:
            ConfigError: the file cannot be read, or is no list of rules.
        """
        try:
            rules = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise ConfigUnreadable(file=path, where=error) from error
        if not _are_rules(rules):
            raise ConfigValue(
                key="rules", file=path, value="of another form", expected="[{match, response}]"
            )
        return cls(rules)

    def name(self) -> str:
        """The provider's name in the configuration."""
        return NAME

    async def capabilities(self) -> ProviderCapabilities:
        """Text only, and no window to fill."""
        return ProviderCapabilities()

    async def generate(self, request: CompletionRequest) -> CompletionResponse:
        """Return the whole answer at once. Raises ProviderRefused."""
        async with aclosing(self.stream(request)) as chunks:
            return collected([chunk async for chunk in chunks])

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[StreamChunk, None]:
        """Stream the answer word by word.

        Raises:
            ProviderRefused: no rule matches and there is no default.
        """
        answer = self._answer(request.messages)
        if request.response_schema is not None and not _is_object(answer):
            answer = json.dumps({"final": answer}, ensure_ascii=False)
        words = _WORD.findall(answer)
        for word in words:
            await asyncio.sleep(0)
            yield StreamChunk(delta=word, model=NAME)
        read = sum(len(message.content.split()) for message in request.messages)
        yield StreamChunk(
            finish_reason=StopReason.END_TURN, usage=TokenUsage(read, len(words)), model=NAME
        )

    def _answer(self, history: Sequence[Message]) -> str:
        asked = next((m.content for m in reversed(history) if m.role is Role.USER), "").casefold()
        for match, response in self._rules:
            if match != DEFAULT and match in asked:
                return response
        for match, response in self._rules:
            if match == DEFAULT:
                return response
        raise ProviderRefused(status=404, detail="no rule matches, and there is no default")


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def _are_rules(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(rule, dict)
        and isinstance(rule.get("match"), str)
        and isinstance(rule.get("response"), str)
        for rule in value
    )
