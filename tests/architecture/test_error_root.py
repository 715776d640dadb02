"""Every error can be told to the user: what failed, what to do, what its one button does."""

from __future__ import annotations

import string
from collections import Counter
from pathlib import Path

import pytest

from rony_desktop.contract.error import (
    Action,
    Failure,
    PersonaError,
    RonyError,
    error_class,
    error_classes,
)

CLASSES = sorted(error_classes(), key=lambda kind: kind.code)


def test_codes_are_unique() -> None:
    repeated = [code for code, count in Counter(k.code for k in CLASSES).items() if count > 1]
    assert not repeated


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.code)
def test_every_error_has_its_words(kind: type[RonyError]) -> None:
    assert "code" in vars(kind), "a code of its own"
    assert error_class(kind.code) is kind
    assert kind.sentence.endswith(".")
    if kind.action is not Action.NONE:
        assert kind.remedy.endswith(".")


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.code)
def test_every_parameter_is_plain_text(kind: type[RonyError]) -> None:
    names = {
        name
        for template in (kind.sentence, kind.remedy)
        for _, name, form, _ in string.Formatter().parse(template)
        if name is not None and not form
    }
    assert all(name.isidentifier() for name in names), names
    sentence = str(Failure(kind.code, {name: f"<{name}>" for name in names}))
    assert all(f"<{name}>" in sentence for name in names)


def test_errors_wrap_their_cause_in_the_seeds_words() -> None:
    with pytest.raises(PersonaError) as caught:
        try:
            Path("/nowhere/pirate.yaml").read_text()
        except OSError as error:
            raise PersonaError(name="pirate", detail=error.strerror) from error
    assert str(caught.value).startswith("loading persona 'pirate': No such file or directory.")
    assert isinstance(caught.value.__cause__, OSError)
