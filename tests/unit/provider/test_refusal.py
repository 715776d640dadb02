from __future__ import annotations

import json

import pytest

from rony_desktop.contract.error import (
    ContextOverflow,
    ProviderError,
    ProviderLoading,
    ProviderRefused,
    RonyError,
)
from rony_desktop.provider.refusal import refused, reported

LOADING = {"error": {"message": "Loading model", "type": "unavailable_error", "code": 503}}


def of(status: int, body: object, key: str = "") -> RonyError:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return refused(status, content, key)


def test_a_server_that_loads_its_model() -> None:
    assert type(of(503, LOADING)) is ProviderLoading
    assert type(of(503, b"upstream is down")) is ProviderError


def test_overflow_carries_both_counts() -> None:
    error = {"code": 400, "message": "too long", "type": "exceed_context_size_error"}
    caught = of(400, {"error": {**error, "n_prompt_tokens": 5001, "n_ctx": 2048}})
    assert isinstance(caught, ContextOverflow)
    assert caught.params == {"needed": "5001", "limit": "2048"}


@pytest.mark.parametrize(
    ("message", "needed", "limit"),
    [
        ("request (4031 tokens) exceeds the available context size (2048 tokens)", "4031", "2048"),
        ("prompt is too long: 5000 tokens > 4096 maximum", "5000", "4096"),
        ("This model's maximum context length is 4096 tokens, you sent 5000.", "5000", "4096"),
        ("Too many tokens", "?", "?"),
        ("context_length_exceeded", "?", "?"),
        ("Please reduce the length of the messages.", "?", "?"),
        ("prompt_too_long", "?", "?"),
        ("The input token count is too high", "?", "?"),
        ("It exceeds the maximum number of tokens", "?", "?"),
        ("context length exceeded", "?", "?"),
    ],
)
def test_overflow_is_known_by_its_texts(message: str, needed: str, limit: str) -> None:
    caught = of(400, {"error": {"message": message}})
    assert isinstance(caught, ContextOverflow)
    assert caught.params == {"needed": needed, "limit": limit}


@pytest.mark.parametrize("status", [302, 400, 401, 403, 404, 429])
def test_a_refusal_names_its_status(status: int) -> None:
    caught = of(status, {"error": {"message": "Invalid API Key."}})
    assert isinstance(caught, ProviderRefused)
    assert caught.params == {"status": str(status), "detail": "Invalid API Key"}


@pytest.mark.parametrize("status", [500, 502, 529])
def test_a_failure_of_the_server(status: int) -> None:
    assert type(of(status, {"error": {"message": "Failed to parse tools"}})) is ProviderError


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        (b"<html>\n  <b>No</b></html>", "<html> <b>No</b></html>"),
        ({"error": "plain"}, "plain"),
        ({"message": "bare"}, "bare"),
        ({"error": {"type": "odd"}}, '{"type": "odd"}'),
        (b"\xff\xfe", "\ufffd\ufffd"),
    ],
)
def test_the_detail_is_found_in_any_form(body: object, detail: str) -> None:
    assert of(400, body).params["detail"] == detail


def test_the_key_never_reaches_an_error() -> None:
    caught = of(401, {"error": {"message": "bad key s3cret-key"}}, "s3cret-key")
    assert "s3cret-key" not in str(caught)
    assert caught.params["detail"] == "bad key ***"


def test_the_key_is_removed_before_the_detail_is_cut() -> None:
    caught = of(401, ("x" * 295 + "s3cret-key").encode(), "s3cret-key")
    assert "s3c" not in caught.params["detail"]
    assert len(caught.params["detail"]) <= 300


def test_an_error_inside_a_stream() -> None:
    assert type(reported({"code": 500, "message": "decode failed"})) is ProviderError
    assert type(reported("broken")) is ProviderError
    assert isinstance(reported({"code": 400, "message": "no"}), ProviderRefused)
    assert isinstance(reported({"type": "exceed_context_size_error"}), ContextOverflow)
