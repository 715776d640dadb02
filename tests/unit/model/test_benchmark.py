from __future__ import annotations

import asyncio

import pytest

from rony_desktop.contract.error import BenchmarkError, EmptyAnswer, ProviderUnavailable
from rony_desktop.contract.speed import Rate
from rony_desktop.model.benchmark import benchmark, measure, rate
from tests.fake.client import FakeClient

WARM = (1.0, 1.0)


async def test_lengths_take_turns_and_the_best_counts() -> None:
    client = FakeClient([WARM, (400, 40), (200, 20), (500, 30), (300, 25)])
    heard: list[tuple[int, int]] = []
    short, long = await benchmark(
        client, lengths=(100, 300), written=16, repeats=2, tell=lambda *each: heard.append(each)
    )
    words = [len(each.messages[0].content.split()) for each in client.requests[1:]]
    assert [words[0], words[1]] == [words[2], words[3]]
    assert words[1] == words[0] + 200
    assert short.prefill.best == pytest.approx(500)
    assert short.prefill.spread == pytest.approx(0.2)
    assert short.decode.best == pytest.approx(40)
    assert long.decode.best == pytest.approx(25)
    assert (long.prompt_tokens, long.written_tokens) == (words[1], 16)
    assert long.first_token_s == min(each.first_token_s for each in long.samples)
    assert heard == [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]


async def test_no_prompt_begins_as_another_did() -> None:
    client = FakeClient()
    await benchmark(client, lengths=(20,), repeats=4)
    heads = {each.messages[0].content.split()[0] for each in client.requests}
    assert len(heads) == len(client.requests) == 5
    assert all(each.temperature == 0 for each in client.requests)


async def test_a_prompt_is_cut_to_what_the_context_holds() -> None:
    client = FakeClient(window=256)
    (found,) = await benchmark(client, lengths=(128, 4000, 512), written=48, repeats=1)
    assert found.prompt_tokens < 256 - 48


async def test_a_server_that_does_not_tell_its_context_gets_what_was_asked() -> None:
    client = FakeClient(window=0)
    (found,) = await benchmark(client, lengths=(900,), repeats=1)
    assert found.prompt_tokens > 900


async def test_answers_that_end_at_once_tell_no_speed() -> None:
    with pytest.raises(BenchmarkError, match="too short"):
        await benchmark(FakeClient(longest=3), lengths=(20,), repeats=2)


async def test_an_answer_without_a_word_still_tells_how_fast_it_was_read() -> None:
    client = FakeClient()
    client.failure = EmptyAnswer()
    sample = await measure(client, 20, 8)
    assert sample.first_token_s > 0
    assert sample.timings.prompt_n == 0


async def test_what_is_wrong_with_the_server_is_raised() -> None:
    client = FakeClient()
    client.failure = ProviderUnavailable(detail="gone")
    with pytest.raises(ProviderUnavailable):
        await benchmark(client)


async def test_cancelling_ends_the_request_on_its_way() -> None:
    client = FakeClient()
    client.hold = asyncio.Event()
    running = asyncio.create_task(benchmark(client))
    while not client.requests:
        await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert client.closed == 1


def test_rates_of_nothing_do_not_differ() -> None:
    assert rate([0.0, 0.0]) == Rate(0.0, 0.0, 0.0)
    assert rate([1.0, 4.0, 2.0]) == Rate(4.0, 2.0, 0.75)
