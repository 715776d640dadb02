"""Measures a running model as its users meet it: through the server, on prompts it never saw."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from contextlib import aclosing

from rony_desktop.contract.error import BenchmarkError, EmptyAnswer
from rony_desktop.contract.llm import CompletionRequest, Timings
from rony_desktop.contract.message import Message, Role
from rony_desktop.contract.port import LLMClient
from rony_desktop.contract.progress import Tell
from rony_desktop.contract.speed import Measured, Rate, Sample

# One token each in the usual vocabularies.
_WORDS = (
    *("time", "year", "people", "way", "day", "man", "thing", "woman", "life", "child", "world"),
    *("school", "state", "family", "student", "group", "country", "problem", "hand", "part"),
    *("place", "case", "week", "company", "system", "program", "question", "work", "government"),
)
_TASK = "Write a very long story with all of these words:"
# Template, task and rounding, beside the words themselves.
_BESIDE_TOKENS = 96
LEAST_WRITTEN = 8


async def benchmark(
    client: LLMClient,
    *,
    lengths: Sequence[int] = (128, 512),
    written: int = 48,
    repeats: int = 3,
    tell: Tell = lambda _done, _all: None,
) -> tuple[Measured, ...]:
    """Measure prompts of about these lengths, one after the other, then all of them again.

    tell hears how many of how many measurements are done. A length that the context cannot hold is
    shortened. Cancelling ends the request on its way.

    Raises:
        ProviderError: the model cannot be reached, or refuses.
        BenchmarkError: its answers were too short to tell a speed.
    """
    window = (await client.capabilities()).max_context_window
    most = max(1, window - written - _BESIDE_TOKENS) if window else max(lengths)
    fitting = tuple(dict.fromkeys(min(length, most) for length in lengths))
    await measure(client, 1, LEAST_WRITTEN)  # the first request pays for pages and caches
    samples: dict[int, list[Sample]] = {length: [] for length in fitting}
    for done in range(repeats * len(fitting)):
        tell(done, repeats * len(fitting))
        length = fitting[done % len(fitting)]
        samples[length].append(await measure(client, length, written))
    tell(repeats * len(fitting), repeats * len(fitting))
    return tuple(summary(each) for each in samples.values())


async def measure(client: LLMClient, length: int, written: int) -> Sample:
    """Send one prompt of about so many words that no cache holds, and time its answer."""
    request = CompletionRequest(
        (Message(Role.USER, _prompt(length)),), temperature=0.0, max_tokens=written
    )
    begun, first_s, timings = time.perf_counter(), 0.0, Timings()
    try:
        async with aclosing(client.stream(request)) as chunks:
            async for chunk in chunks:
                if not first_s and (chunk.delta or chunk.thinking):
                    first_s = time.perf_counter() - begun
                timings = chunk.timings or timings
    except EmptyAnswer:
        first_s = first_s or time.perf_counter() - begun
    return Sample(timings, first_s or time.perf_counter() - begun)


def summary(samples: Sequence[Sample]) -> Measured:
    """Sum up repeats of one length.

    Raises:
        BenchmarkError: no answer was long enough.
    """
    long = [sample for sample in samples if sample.timings.predicted_n >= LEAST_WRITTEN]
    read = [sample for sample in samples if sample.timings.prompt_n]
    if not long or not read:
        raise BenchmarkError(detail="the model's answers were too short")
    return Measured(
        prompt_tokens=max(sample.timings.prompt_n for sample in read),
        written_tokens=max(sample.timings.predicted_n for sample in long),
        prefill=rate([sample.timings.prefill_tokens_per_s for sample in read]),
        decode=rate([sample.timings.decode_tokens_per_s for sample in long]),
        first_token_s=min(sample.first_token_s for sample in samples),
        samples=tuple(samples),
    )


def rate(values: Sequence[float]) -> Rate:
    """Sum up rates; there is at least one."""
    ordered = sorted(values)
    best, worst = ordered[-1], ordered[0]
    return Rate(best, ordered[len(ordered) // 2], (best - worst) / best if best else 0.0)


def _prompt(length: int) -> str:
    """Words in an order of their own, from the first one on: no cache knows its head."""
    words = random.choices(_WORDS, k=max(1, length))  # noqa: S311 - no secret
    return f"{random.getrandbits(32)} {_TASK} {' '.join(words)}"
