"""Ids sort by time and are unique."""

from __future__ import annotations

from rony_desktop.app.id import new_id


def test_ids_are_unique_and_26_characters() -> None:
    made = [new_id() for _ in range(100)]
    assert len(set(made)) == 100
    assert {len(id) for id in made} == {26}
