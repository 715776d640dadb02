from __future__ import annotations

import base64
import json
import string
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from hypothesis import given, strategies as st

from rony_desktop.redact import hold, redact, release

# Assembled, so that no scanner of this repository takes them for real keys.
PREFIXED = [
    "sk-" + "proj-abcdefghij0123456789",
    "sk-" + "ant-api03-AAAAAAAAAAAAAAAA11",
    "ghp" + "_" + "a1" * 18,
    "github" + "_pat_" + "A1" * 20,
    "hf" + "_" + "aB" * 17,
    "AKIA" + "IOSFODNN7EXAMPLE",
    "AIza" + "a-_" * 12,
    "xoxb" + "-123456789012-abcdefg",
    "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-DEF",
]
IN_CONTEXT = [
    ("Authorization: Bearer {}", "abcdef"),
    ('"Authorization": "Basic {}"', "dXNlcjpwYXNz"),
    ("authorization: {}", "abcdef123"),
    ("curl -H 'X: Bearer {}'", "abcdef1234567"),
    ("https://user:{}@example.com/x", "hunter2"),
    ("postgres://u:{}@h", "p"),
    ("password={}", "hunter22"),
    ("PASSWORD: {}", "correcthorse"),
    ('password: "{}"', "correct horse battery staple"),
    ('"api_key": "{}"', "abcdef12345"),
    ("X-Api-Key: {}", "0123456789abcdef"),
    ("--token {} --x", "abc12345"),
    ('["--api-key", "{}"]', "abcdef123"),
    ("https://h/?key={}&x=1", "abcdef123"),
    ("access_token={}", "abc123def"),
    ("client_secret = '{}'", "abc123def"),
    (r'{{"a": "{{\"password\": \"{}\"}}"}}', "hunter22"),
]
INNOCENT = [
    "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    "EOS token = 151645 '<|im_end|>'",
    "max_tokens=6000 and n_tokens: 123456",
    "def login(password: str, token: str) -> None:",
    "password = get_password()",
    'api_key=os.environ["X"]',
    "secret_key = settings.SECRET",
    "password=password",
    "api_key: ${API_KEY}",
    "token: <your token>",
    "password: ********",
    "key = lambda x: x1234567",
    "sorted(rows, key=itemgetter1234)",
    "basic understanding of 12 things",
    "the bearer of bad news123456",
    "disk-usage-of-the-whole-machine-1234567890",
    "sk-learn-has-many-long-module-names",
    "http://127.0.0.1:8080/v1/models",
    "a files starts with -----BEGIN PRIVATE KEY----- and then its data",
    "C:\\Users\\me\\key: 12",
]


@pytest.fixture
def held() -> Iterator[str]:
    value = 'pässwörd "x"/+&\n1'
    hold(value)
    yield value
    release(value)


@pytest.mark.parametrize("secret", PREFIXED)
@pytest.mark.parametrize("around", ["{}", "key {} end", '{{"a":"{}"}}', "a\\n{}", "x%3D{}", "({})"])
def test_keys_show_at_most_four_characters(secret: str, around: str) -> None:
    clean = redact(around.format(secret))
    assert secret[:5] not in clean
    assert secret[-4:] not in clean
    assert clean.startswith(around.partition("{}")[0].replace("{{", "{"))


@pytest.mark.parametrize(("around", "secret"), IN_CONTEXT)
def test_values_beside_a_telling_name_go(around: str, secret: str) -> None:
    clean = redact(around.format(secret))
    assert clean == around.format("***")


@pytest.mark.parametrize("text", INNOCENT)
def test_innocent_text_survives(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize("newline", ["\n", "\\n"])
def test_private_keys_go_whole_or_cut(newline: str) -> None:
    lines = ["-----BEGIN RSA PRIVATE KEY-----", "MIIEabcdefghijklmnopqr", "QQQQbcdefghijklmno=="]
    cut = newline.join(lines)
    whole = newline.join([*lines, "-----END RSA PRIVATE KEY-----", "after"])
    for text in (cut, whole):
        assert "MIIE" not in redact(text)
        assert "QQQQ" not in redact(text)
    assert redact(whole).endswith("after")


@pytest.mark.parametrize("code", ["\x1b[31m", "\\u001b[1;31m"])
def test_colour_codes_do_not_hide_a_secret(code: str) -> None:
    assert redact(f"access_token={code}abc123{code}def") == "access_token=***"


def test_a_held_value_goes_in_every_spelling(held: str) -> None:
    for form in (
        held,
        quote(held, safe=""),
        json.dumps(held),
        json.dumps(held, ensure_ascii=False),
        base64.b64encode(held.encode()).decode(),
        base64.urlsafe_b64encode(b"user:" + held.encode() + b"!").decode(),
    ):
        clean = redact(f"before {form} after")
        assert "***" in clean
        assert clean.startswith("before ")
        assert clean.endswith(" after")
        for part in (quote("pässwörd"), "sswörd", "ssw\\u00f6rd"):
            assert part not in clean


def test_a_released_value_and_a_short_one_stay() -> None:
    hold("released-value")
    release("released-value")
    release("never held")
    hold("short")
    assert redact("released-value short") == "released-value short"


@given(st.text(), st.text(st.characters(exclude_characters="*"), min_size=6), st.text())
def test_no_held_value_survives(before: str, value: str, after: str) -> None:
    hold(value)
    try:
        assert value not in redact(before + value + after)
    finally:
        release(value)


@given(st.lists(st.sampled_from([*PREFIXED, *(a.format(s) for a, s in IN_CONTEXT), *INNOCENT])))
def test_redacting_twice_changes_nothing_more(parts: list[str]) -> None:
    once = redact("\n".join(parts))
    assert redact(once) == once


@given(st.text(string.hexdigits + " -/+=\n.,;()'\"", max_size=300))
def test_there_is_no_entropy_rule(text: str) -> None:
    assert redact(text) == text


@given(st.text())
def test_any_text_is_taken(text: str) -> None:
    assert len(redact(f"password={text}token: {text}")) >= len("password=")


@pytest.mark.parametrize(
    "piece", ["token=", "key=", "--token ", "sk-", "eyJ-", "-----BEGIN PRIVATE KEY-----", "://a:"]
)
def test_long_text_takes_no_more_than_its_length(piece: str) -> None:
    """Quadratic work over these would run into the time limit."""
    text = piece * (1_000_000 // len(piece))
    assert redact(text) == text
