"""Every option that a launch is started with is named in plain words."""

from rony_desktop.engine.command import NEWEST, arguments
from rony_desktop.ui.launch.option import option_words
from tests.fixture.speed import launch


def test_every_option_of_a_command_has_words() -> None:
    made = launch(n_cpu_moe=3, repack=False)
    given = [word for word in arguments(made, NEWEST) if word.startswith("-")]
    assert len(given) > 12
    assert [option for option in given if not option_words(option)] == []


def test_an_option_of_a_later_version_has_none() -> None:
    assert option_words("--later") == ""
