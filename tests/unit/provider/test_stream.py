from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing
from itertools import pairwise

import httpx
import pytest
from hypothesis import given, strategies as st

from rony_desktop.contract.error import StreamBroken
from rony_desktop.provider.stream import EventDecoder, events

TRANSCRIPT = (
    ': keep-alive\n\nevent: message\nid: 7\nretry: 10\ndata: {"text": "Grüße 你好 🦙"}  \n\n'
    "data\ndata:\n\ndata:one\ndata:  two\n\n\n\nunknown: x\n\ndata: [DONE]\n\n"
)
DATA = ['{"text": "Grüße 你好 🦙"}  ', "\n", "one\n two", "[DONE]"]


def decode(*blocks: bytes) -> list[str]:
    decoder = EventDecoder()
    found = [data for block in blocks for data in decoder.feed(block)]
    return found + decoder.end()


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_line_end_gives_the_same_events(newline: str) -> None:
    assert decode(TRANSCRIPT.replace("\n", newline).encode()) == DATA


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_single_bytes_give_the_same_events(newline: str) -> None:
    content = TRANSCRIPT.replace("\n", newline).encode()
    assert decode(*(content[i : i + 1] for i in range(len(content)))) == DATA


@given(st.sampled_from(["\n", "\r\n", "\r"]), st.lists(st.integers(0, 200), max_size=12))
def test_any_split_gives_the_same_events(newline: str, cuts: list[int]) -> None:
    content = TRANSCRIPT.replace("\n", newline).encode()
    places = [0, *sorted(min(cut, len(content)) for cut in cuts), len(content)]
    blocks = [content[a:b] for a, b in pairwise(places)]
    assert decode(*blocks) == DATA


def test_line_separators_of_unicode_do_not_end_a_line() -> None:
    assert decode("data: a\u2028b\u0085c\x0bd\n\n".encode()) == ["a\u2028b\u0085c\x0bd"]


def test_last_event_counts_without_an_empty_line() -> None:
    assert decode(b"data: a\n\ndata: b") == ["a", "b"]
    assert decode(b"data: a\n\ndata: b\n") == ["a", "b"]


def test_bytes_that_are_no_utf8_are_replaced() -> None:
    assert decode(b"data: a\xffb\n\n") == ["a\ufffdb"]


def test_one_line_of_two_megabytes_is_one_event() -> None:
    content = b"data: " + b"x" * 2_000_000 + b"\n\n"
    blocks = [content[i : i + 1000] for i in range(0, len(content), 1000)]
    assert [len(data) for data in decode(*blocks)] == [2_000_000]


@pytest.mark.parametrize("part", [b"x" * 10, b"\ndata: " + b"x" * 10])
def test_an_event_above_the_limit_breaks_the_stream(part: bytes) -> None:
    decoder = EventDecoder(limit_bytes=100)
    decoder.feed(b"data: ")
    with pytest.raises(StreamBroken):
        for _ in range(11):
            decoder.feed(part)


def test_the_limit_is_of_one_event_and_not_of_the_stream() -> None:
    decoder = EventDecoder(limit_bytes=100)
    for _ in range(50):
        assert decoder.feed(b": comment of some length\ndata: x\n\n") == ["x"]
        assert decoder.feed(b": comment of some length\n" * 5) == []


class Source(httpx.AsyncByteStream):
    """Blocks of a response; waiting is what it does after the last, where endless is set."""

    def __init__(self, blocks: list[bytes], *, endless: bool = False) -> None:
        self._blocks = blocks
        self._endless = endless
        self.closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            for block in self._blocks:
                yield block
            if self._endless:
                await asyncio.Event().wait()
        except BaseException:
            await self.aclose()
            raise

    async def aclose(self) -> None:
        if not self.closed:
            self.closed = True
            await asyncio.sleep(0)


async def test_events_reads_a_response_to_its_end() -> None:
    source = Source([b"data: a\n", b"\nda", b"ta: b\n\n"])
    assert [data async for data in events(httpx.Response(200, stream=source))] == ["a", "b"]
    assert source.closed


async def test_closing_events_closes_the_response() -> None:
    source = Source([b"data: a\n\n"], endless=True)
    async with aclosing(events(httpx.Response(200, stream=source))) as stream:
        assert await anext(stream) == "a"
    assert source.closed


async def test_cancelling_events_closes_the_response() -> None:
    source = Source([], endless=True)
    stream = events(httpx.Response(200, stream=source))
    waiting = asyncio.ensure_future(anext(stream))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert source.closed


async def test_leaving_early_is_clean_on_a_loop_without_generator_hooks() -> None:
    """qasync's loop has none: httpx's suspended generators are then ended by the collector."""
    hooks = sys.get_asyncgen_hooks()
    sys.set_asyncgen_hooks(None, None)
    complaints: list[object] = []
    original, sys.unraisablehook = sys.unraisablehook, complaints.append
    try:
        source = Source([b"data: a\n\ndata: b\n\n"], endless=True)
        async with aclosing(events(httpx.Response(200, stream=source))) as stream:
            assert await anext(stream) == "a"
    finally:
        sys.unraisablehook = original
        sys.set_asyncgen_hooks(*hooks)
    assert complaints == []
