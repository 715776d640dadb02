"""Predicts how fast a launch reads a prompt and writes an answer, with the range it may be off by.

Decode reads every weight in use once per token, and the cache of the tokens before; prefill
computes two operations per weight in use and token. Both follow from what the machine was measured
to do; what real runs showed (model/correction.py) takes the place of it, as far as it is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

from rony_desktop.contract.engine import Launch
from rony_desktop.contract.llm import Timings
from rony_desktop.contract.model import Machine, ModelMetadata
from rony_desktop.contract.speed import Span, Speed
from rony_desktop.model.calibration import Calibration
from rony_desktop.model.correction import (
    LEAST_READ,
    LEAST_WRITTEN,
    Corrections,
    Factor,
    Factors,
    Learned,
)
from rony_desktop.model.work import Work, work_of

# Products one core finishes in a cycle, measured on cores with AVX-512 (SmolLM2-135M in Q4_1,
# Llama-3.2-1B in Q4_K_M): prefill by layout of the weights, decode, attention in both. Other
# instruction sets scale with the width of their vectors.
_REPACKED, _PLAIN, _DECODE = 26.0, 20.0, 4.0
_ATTENTION_PREFILL, _ATTENTION_DECODE = 5.0, 1.0
_WIDTHS = (("avx512f", 1.0), ("avx2", 0.5), ("asimddp", 0.4), ("dotprod", 0.4), ("asimd", 0.2))
_NARROW = 0.1
# Part of the measured bandwidth that reading weights gets.
_READ_SHARE = 0.7
# Attention explains at most this part of what a token really took.
MOST_ATTENTION = 0.6
LEAST_S = 1e-9
# Nothing tells how fast a card reads and computes before something ran on it.
_CARD_BYTES_PER_S, _CARD_PRODUCTS_PER_S = 3e11, 5e12
_INTEGRATED_GAIN = 4.0
# By how much a prediction may be off, as a natural logarithm of a factor.
_UNKNOWN, _UNKNOWN_CARD = 0.9, 1.3


@dataclass(frozen=True, slots=True)
class Token:
    """Seconds of one token by calculation alone: over the weights, and over the tokens before."""

    weights_s: float
    attention_s: float

    def __post_init__(self) -> None:
        # A file without a single matrix takes no time, and no rate can be told of that.
        object.__setattr__(self, "weights_s", max(self.weights_s, LEAST_S))

    def corrected_s(self, learned: Learned | None) -> float:
        """Seconds as real runs make them."""
        if learned is None:
            return self.weights_s + self.attention_s
        return self.weights_s / learned.weights + self.attention_s / learned.attention

    def factor(self, real_s: float) -> Factor:
        """What makes this the time it really took.

        Attention is trusted as worked out, as long as it leaves room for the weights.
        """
        attention = max(1.0, self.attention_s / (MOST_ATTENTION * real_s))
        return Factor(self.weights_s / (real_s - self.attention_s / attention), attention)


@dataclass(frozen=True, slots=True)
class Tokens:
    """A token that is read, and one that is written."""

    prefill: Token
    decode: Token


def predict(
    model: ModelMetadata,
    machine: Machine,
    launch: Launch,
    calibration: Calibration,
    corrections: Corrections | None = None,
    *,
    prompt_tokens: int = 512,
) -> Speed:
    """Predict the speed of a launch for a prompt of so many tokens, nothing of it cached."""
    work = work_of(model, machine, launch)
    corrections = corrections or Corrections()
    known = corrections.of(model, machine, launch)
    unknown = _UNKNOWN_CARD if work.device.weight_bytes else _UNKNOWN
    read = tokens(work, machine, launch, calibration, prompt_tokens / 2).prefill
    written = tokens(work, machine, launch, calibration, prompt_tokens).decode
    prefill = _span(read, known.prefill, unknown)
    decode = _span(written, known.decode, unknown)
    whole, token = _inverse(prefill, prompt_tokens), _inverse(decode, 1)
    first = Span(whole.value + token.value, whole.low + token.low, whole.high + token.high)
    return Speed(prefill, decode, first, known.basis)


def tokens(
    work: Work, machine: Machine, launch: Launch, calibration: Calibration, depth: float
) -> Tokens:
    """Work out what one token takes after depth others, before anything real corrects it."""
    host, device = work.host, work.device
    width = next((w for flag, w in _WIDTHS if flag in machine.cpu_flags), _NARROW)
    # Threads beyond the cores there are take turns.
    readers = min(launch.threads_batch, machine.logical_cores)
    writers = min(launch.threads, machine.logical_cores)
    reading = readers * calibration.cycles_per_s * width
    writing = writers * calibration.cycles_per_s * width
    most = min(writers * calibration.thread_bytes_per_s, calibration.read_bytes_per_s)
    bandwidth = _READ_SHARE * most
    card_bytes, card_products = _card(machine, calibration)
    decoded = (host.repacked + host.plain + host.last) / (writing * _DECODE)
    attended = host.attention_products(depth)
    return Tokens(
        Token(
            (host.repacked / _REPACKED + host.plain / _PLAIN) / reading
            + (device.plain + device.repacked) / card_products,
            attended / (reading * _ATTENTION_PREFILL)
            + device.attention_products(depth) / card_products,
        ),
        Token(
            max(host.weight_bytes / bandwidth, decoded)
            + host.state_bytes / bandwidth
            + (device.weight_bytes + device.state_bytes) / card_bytes,
            max(host.cache_bytes(depth) / bandwidth, attended / (writing * _ATTENTION_DECODE))
            + device.cache_bytes(depth) / card_bytes,
        ),
    )


def _card(machine: Machine, calibration: Calibration) -> tuple[float, float]:
    """Bytes and products a second of the device; one that is integrated shares the memory."""
    gpu = next((gpu for gpu in machine.gpus if gpu.device), None)
    if gpu is None or not gpu.integrated:
        return _CARD_BYTES_PER_S, _CARD_PRODUCTS_PER_S
    all_cores = calibration.cycles_per_s * machine.physical_cores * _PLAIN
    return calibration.read_bytes_per_s, all_cores * _INTEGRATED_GAIN


def _span(token: Token, learned: Learned | None, unknown: float) -> Span:
    """The rate of a token, and the range it is expected in."""
    spread = learned.spread if learned else unknown
    rate = 1 / token.corrected_s(learned)
    return Span(rate, rate * exp(-spread), rate * exp(spread))


def _inverse(rate: Span, amount: float) -> Span:
    """Seconds for an amount at a rate."""
    return Span(amount / rate.value, amount / rate.high, amount / rate.low)


def factors(
    run: tuple[ModelMetadata, Machine, Launch], calibration: Calibration, timings: Timings
) -> Factors:
    """What a real run teaches about its launch; short ones tell nothing."""
    model, machine, launch = run
    work = work_of(model, machine, launch)
    read_at = timings.cache_n + timings.prompt_n / 2
    written_at = timings.cache_n + timings.prompt_n + timings.predicted_n / 2
    prefill = decode = None
    if timings.prompt_n >= LEAST_READ and timings.prefill_tokens_per_s > 0:
        expected = tokens(work, machine, launch, calibration, read_at).prefill
        prefill = expected.factor(1 / timings.prefill_tokens_per_s)
    if timings.predicted_n >= LEAST_WRITTEN and timings.decode_tokens_per_s > 0:
        expected = tokens(work, machine, launch, calibration, written_at).decode
        decode = expected.factor(1 / timings.decode_tokens_per_s)
    return Factors(prefill, decode)
