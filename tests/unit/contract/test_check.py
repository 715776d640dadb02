from __future__ import annotations

from rony_desktop.contract.check import ModelCheck, Part, Shape, ShapeCheck, ToolMode


def test_a_shape_works_where_nothing_is_missing_and_nothing_was_said() -> None:
    assert ShapeCheck(Shape.SYSTEM).works
    assert not ShapeCheck(Shape.SYSTEM, (Part.SYSTEM,)).works
    assert not ShapeCheck(Shape.SYSTEM, words="no").works


def test_a_model_that_never_sees_the_newest_message_is_told_apart() -> None:
    def check(*dropped: Part) -> ModelCheck:
        shapes = ShapeCheck(Shape.SYSTEM), ShapeCheck(Shape.TURNS, dropped)
        return ModelCheck(build="b", mode=ToolMode.ENVELOPE, shapes=shapes)

    assert check(Part.ANSWER, Part.LAST).loses_last
    assert not check(Part.SYSTEM).loses_last
