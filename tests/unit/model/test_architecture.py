from __future__ import annotations

from rony_desktop.model.architecture import ENCODERS, KNOWN
from tests.fixture.twin import twins


def test_the_architectures_that_were_checked_are_known() -> None:
    assert {twin["architecture"] for twin in twins().values()} <= KNOWN


def test_encoders_are_known() -> None:
    assert ENCODERS < KNOWN
    assert "llama" not in ENCODERS
