from __future__ import annotations

from jsonschema import Draft202012Validator

from rony_desktop.tool.builtin.parameter import TEXT, parameters


def test_other_names_and_missing_ones_are_refused() -> None:
    schema = parameters({"path": TEXT, "old": TEXT}, "path")
    Draft202012Validator.check_schema(schema)
    check = Draft202012Validator(schema).is_valid
    assert check({"path": "a"})
    assert check({"path": "a", "old": "b"})
    assert not check({"old": "b"})
    assert not check({"path": "a", "new": "b"})
    assert not check({"path": 1})
