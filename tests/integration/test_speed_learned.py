"""What a run on the real engine teaches: the same file again, and one that never ran."""

from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.app.tune import workshop
from rony_desktop.app.workshop import Workshop
from rony_desktop.contract.speed import Basis, Measured, Rate, Span
from tests.fixture.twin import twins, write_twin
from tests.fixture.vocabulary import vocabulary

pytestmark = [pytest.mark.engine, pytest.mark.timeout(240)]
PROMPT, WRITTEN, REPEATS = 160, 32, 3
TOLERANCE = 0.15
TWIN = "llama-3.2-1b"


@pytest.fixture
def twin_model(tmp_path: Path) -> Path:
    """A file of the size and geometry of a public model; its weights are zeros, as fast as any."""
    count = twins()[TWIN]["keys"]["vocab_size"]
    return write_twin(TWIN, tmp_path / "twin.gguf", tokenizer=vocabulary(count))


async def run(shop: Workshop) -> Measured:
    (found,) = await shop.benchmark((PROMPT,), WRITTEN, REPEATS, lambda *_: None)
    return found


def off(predicted: Span, first: Rate, second: Rate) -> float:
    """By which factor the second run was missed, over what the machine's own repeats differ by.

    What the machine itself does not repeat no prediction can tell beforehand.
    """
    worst = min(each.best * (1 - each.spread) for each in (first, second))
    repeats = max(first.best, second.best) / worst
    ratio = predicted.value / second.median
    return max(ratio, 1 / ratio) / repeats


@pytest.mark.parametrize(
    "kind", ["starter_model", pytest.param("twin_model", marks=pytest.mark.slow)]
)
async def test_after_one_run_the_prediction_for_the_same_file_is_within_15_percent(
    kind: str, request: pytest.FixtureRequest
) -> None:
    async with workshop(str(request.getfixturevalue(kind))) as shop:
        assert (await shop.predicted(PROMPT)).basis is Basis.PROBE
        first = await run(shop)
        predicted = await shop.predicted(first.prompt_tokens)
        second = await run(shop)
    assert predicted.basis is Basis.RUN
    assert off(predicted.prefill, first.prefill, second.prefill) <= 1 + TOLERANCE
    assert off(predicted.decode, first.decode, second.decode) <= 1 + TOLERANCE


@pytest.mark.slow
async def test_the_range_of_a_file_that_never_ran_holds_the_truth(
    starter_model: Path, twin_model: Path
) -> None:
    async with workshop(str(starter_model)) as shop:
        known = await run(shop)
    async with workshop(str(twin_model)) as shop:
        predicted = await shop.predicted(known.prompt_tokens)
        found = await run(shop)
    assert predicted.basis is Basis.MACHINE
    for span, rate in ((predicted.prefill, found.prefill), (predicted.decode, found.decode)):
        assert span.low <= rate.median <= span.high
