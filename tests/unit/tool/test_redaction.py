from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings, strategies as st

from rony_desktop.redact import hold, redact, release
from rony_desktop.tool import redaction
from rony_desktop.tool.redaction import pieces, redacted

HELD = "held-value-of-the-program"
# Assembled, so that no scanner of this repository takes them for real keys.
KEY = "sk-" + "proj-abcdefghij0123456789"
PEM = "-----BEGIN RSA PRIVATE" + " KEY-----\n" + "MIIEpAIBAAKCAQEA0Z3VS5JJcds3\n" * 9
PEM_END = "-----END RSA PRIVATE" + " KEY-----\n"
SECRETS = [
    KEY,
    HELD,
    PEM + PEM_END,
    (PEM + PEM_END).replace("\n", "\\n"),
    "password:\n  hunter22",
    'Authorization: Bearer\n "abcdef123456"',
    "https://user:hunter2@example.com/",
    "sk-\x1b[31mproj-abcdefghij0123456789",
    "eyJ" + "hbGciOiJIUzI1NiJ9." + "a1b2" * 300 + ".abc-DEF",
]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redaction, "SIZE", 300)
    monkeypatch.setattr(redaction, "REACH", 1_500)


@pytest.fixture(autouse=True)
def held() -> None:
    hold(HELD)
    yield
    release(HELD)


@pytest.mark.parametrize("glue", ["\n", " ", ", "])
@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.usefixtures("small")
def test_no_place_of_a_secret_saves_it(secret: str, glue: str) -> None:
    words = glue.join(f"w{i}" for i in range(200))
    for room in range(0, 700, 29):
        text = f"{words[:room]}{glue}{secret}{glue}{words}"
        assert redacted(text) == redact(text)


@given(
    st.lists(
        # Without the longest: two of it side by side are longer than the small reach below.
        st.sampled_from([*SECRETS[:-1], PEM, PEM_END, "word", "\n", " ", "x" * 90, "="]),
        max_size=30,
    )
)
@settings(deadline=None, max_examples=60, derandomize=True)
def test_pieces_lose_what_the_whole_loses(parts: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(redaction, "SIZE", 300)
        patch.setattr(redaction, "REACH", 1_500)
        text = "".join(parts)
        assert "".join(pieces(text)) == text
        # A piece may hide more: the whole passes over values it takes for too long to be one.
        for value in ("hunter2", "abcdef123456", "MIIEpAIBAAKCAQ", HELD, KEY, "a1b2a1b2"):
            assert redacted(text).count(value) <= redact(text).count(value)


@pytest.mark.usefixtures("small")
def test_a_key_that_never_ends_is_kept_together() -> None:
    text = "word\n" * 100 + PEM + "MIIEpAIBAAKCAQEA0Z3VS5JJcds3\n" * 500
    assert redacted(text) == redact(text)
    assert "MIIE" not in redacted(text)


def test_a_block_longer_than_any_key_is_cut() -> None:
    text = PEM + "word-by-word\n" * 50_000
    assert max(map(len, pieces(text))) <= redaction.LONGEST + 2 * redaction.SIZE


@pytest.mark.usefixtures("small")
def test_text_of_secrets_without_end_is_one_piece() -> None:
    text = "password=" + "hunter22" * 100
    assert redacted(text) == redact(text)


def test_text_that_is_no_text_is_made_one() -> None:
    assert redacted("a\0b\ud800c\udfff\td\n\u202e") == "a\ufffdb\ufffdc\ufffd\td\n\u202e"
    assert redacted("") == ""


@pytest.mark.parametrize(
    "make",
    [
        lambda: "".join(f"{i} a line of text, key={i:x}\n" for i in range(200_000)),
        lambda: "x" * 5_000_000,
        lambda: "a b c d " * 625_000,
        lambda: "-----BEGIN X PRIVATE" + " KEY-----\n" * 250_000,
        lambda: ("-----BEGIN X PRIVATE" + " KEY-----\n") * 160_000,
        lambda: "password=" * 550_000,
    ],
    ids=["lines", "one line", "one line of words", "one key", "keys", "secrets"],
)
def test_five_megabytes_are_done_in_pieces_and_in_time(make: object) -> None:
    text = make()
    begun = time.process_time()
    sizes = [len(redact(piece)) and len(piece) for piece in pieces(text)]
    assert time.process_time() - begun < 20
    assert max(sizes) <= redaction.LONGEST + 2 * redaction.SIZE
    assert sum(sizes) == len(text)


def test_random_places_of_many_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redaction, "SIZE", 2_000)
    chance = random.Random(7)
    words = [*SECRETS, *(f"word{i}" for i in range(60)), "\n", "\n\n"]
    text = " ".join(chance.choice(words) for _ in range(600))
    assert redacted(text) == redact(text)
