"""Counts the tokens of messages: exactly through llama-server, else by a safe estimate."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any

from rony_desktop.contract.engine import Endpoint
from rony_desktop.contract.error import EngineError, ProviderError, ProviderRefused
from rony_desktop.contract.message import Message
from rony_desktop.provider.exchange import ask
from rony_desktop.provider.wire import encode, messages

REMEMBERED = 256
BYTES_PER_TOKEN = 3
TOKENS_PER_MESSAGE = 8


class LlamaCppTokenCounter:
    """Counts what the server at endpoint would read, its chat template included."""

    def __init__(self, endpoint: Callable[[], Endpoint]) -> None:
        self._endpoint = endpoint
        self._counts: OrderedDict[tuple[Endpoint, bytes], int] = OrderedDict()
        self._without_count: set[Endpoint] = set()

    async def count(self, history: Sequence[Message]) -> int:
        """Tokens of these messages as a prompt; an estimate where no server answers."""
        if not history:
            return 0
        prompt = messages(history)
        try:
            endpoint = self._endpoint()
            key = endpoint, blake2b(encode(prompt), digest_size=16).digest()
            if key not in self._counts:
                self._remember(key, await self._exact(endpoint, prompt))
        except (ProviderError, EngineError):
            return estimate(history)
        self._counts.move_to_end(key)
        return self._counts[key]

    def _remember(self, key: tuple[Endpoint, bytes], tokens: int) -> None:
        self._counts[key] = tokens
        while len(self._counts) > REMEMBERED:
            self._counts.popitem(last=False)

    async def _exact(self, endpoint: Endpoint, prompt: list[dict[str, Any]]) -> int:
        if endpoint not in self._without_count:
            try:
                return await _counted(endpoint, prompt)
            except ProviderRefused:
                self._without_count.add(endpoint)
        return await _tokenized(endpoint, prompt)


def estimate(history: Sequence[Message]) -> int:
    """Tokens by size: three bytes each, and eight for the frame of a message."""
    return sum(
        len(encode(message)) // BYTES_PER_TOKEN + TOKENS_PER_MESSAGE
        for message in messages(history)
    )


async def _counted(endpoint: Endpoint, prompt: list[dict[str, Any]]) -> int:
    said = await ask(endpoint, "/v1/chat/completions/input_tokens", {"messages": prompt})
    return _whole(said.get("input_tokens"))


async def _tokenized(endpoint: Endpoint, prompt: list[dict[str, Any]]) -> int:
    text = (await ask(endpoint, "/apply-template", {"messages": prompt})).get("prompt")
    request = {"content": text, "add_special": True, "parse_special": True}
    tokens = (await ask(endpoint, "/tokenize", request)).get("tokens")
    return _whole(len(tokens) if isinstance(tokens, list) else None)


def _whole(tokens: object) -> int:
    if not isinstance(tokens, int):
        raise ProviderRefused(status=200, detail="the answer holds no count")
    return tokens
