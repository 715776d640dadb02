"""The parts of a line."""

from rony_desktop.ui.dot import joined, spoken


def test_only_parts_that_say_something_stand_between_dots() -> None:
    assert joined(["Q4_K_M", "", "4.9 GB"]) == "Q4_K_M \u00b7 4.9 GB"
    assert joined(("alone", "")) == "alone"
    assert joined(()) == ""


def test_dots_are_spoken_as_commas() -> None:
    assert spoken("Q4_K_M \u00b7 4.9 GB") == "Q4_K_M, 4.9 GB"
