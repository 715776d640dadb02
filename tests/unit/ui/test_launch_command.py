"""A launch as a command that a shell reads as it was meant."""

import shlex

from rony_desktop.contract.launch import Flag
from rony_desktop.contract.plan import Reason, Why
from rony_desktop.ui.launch.command import command

WHY = Reason(Why.THIS_FILE)


def test_a_shell_reads_the_words_it_was_made_of() -> None:
    path = "/models/it's a $HOME/new one.gguf"
    flags = (Flag("-m", path, WHY), Flag("--offline", "", WHY), Flag("-c", "4096", WHY))
    line = command(flags)
    assert shlex.split(line) == ["llama-server", "-m", path, "--offline", "-c", "4096"]
