"""Errors as values: there and back, in words, and from a newer version."""

from __future__ import annotations

import pytest

from rony_desktop.contract.error import (
    ContextOverflow,
    DiskFull,
    EngineDied,
    EngineOutOfMemory,
    Failure,
    OutsideFolder,
    RonyError,
    SandboxViolationError,
    ToolDeniedError,
    error_class,
    error_classes,
    fill,
)


def test_an_error_becomes_a_value_and_an_error_again() -> None:
    failure = ContextOverflow(needed=5001, limit=2048).failure()
    assert failure == Failure("provider.overflow", {"needed": "5001", "limit": "2048"})
    with pytest.raises(ContextOverflow, match="needs 5001 tokens"):
        raise failure.error()


def test_the_english_words_are_sentence_and_remedy() -> None:
    error = DiskFull(path="/data")
    assert str(error) == (
        "The disk that holds /data is full. "
        "Free some space and try again; what you typed is still there."
    )
    assert str(error) == str(error.failure())
    assert str(ToolDeniedError(name="rm", detail="it was denied")) == (
        "rm was not run: it was denied."
    )


def test_a_missing_parameter_shows_as_its_name() -> None:
    assert str(Failure("storage.full")).startswith("The disk that holds path is full.")
    assert fill("{a} and {b}", {"a": "{b}"}) == "{b} and b"


def test_a_code_of_a_newer_version_is_the_roots() -> None:
    assert error_class("from.the.future") is RonyError
    assert "detail" in str(Failure("from.the.future"))


def test_the_tree_is_whole() -> None:
    kinds = list(error_classes())
    assert kinds[0] is RonyError
    assert EngineOutOfMemory in kinds
    assert issubclass(EngineOutOfMemory, EngineDied)


@pytest.mark.parametrize("kind", [SandboxViolationError, OutsideFolder])
def test_a_path_outside_is_also_a_permission_error(kind: type[RonyError]) -> None:
    with pytest.raises(PermissionError):
        raise kind(path="/etc", folder="data")
