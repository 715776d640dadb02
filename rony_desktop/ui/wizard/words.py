"""The words of the wizard: what was found here, what a suggestion is, how far the way is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from rony_desktop.contract.download import Download
from rony_desktop.contract.hub import Candidate
from rony_desktop.ui.dot import joined
from rony_desktop.ui.download.words import disk_words, progress
from rony_desktop.ui.installed.words import health_words
from rony_desktop.ui.number import count_text, gigabytes, rate_text
from rony_desktop.ui.speed.words import verdict_words
from rony_desktop.ui.wizard.presenter import Page, WizardState

if TYPE_CHECKING:
    from rony_desktop.app.discover import Computer

STEPS = (Page.COMPUTER, Page.CHOOSE, Page.DOWNLOAD, Page.TUNE)


def step_text(page: Page) -> str:
    """Where a page is on the way; "" for the last, which is no step."""
    tr = QCoreApplication.translate
    if page not in STEPS:
        return ""
    return tr("wizard", "Step {0} of {1}").format(STEPS.index(page) + 1, len(STEPS))


def heading(state: WizardState) -> tuple[str, str]:
    """The title of a page, and the sentence under it."""
    tr = QCoreApplication.translate
    name = state.entry.name if state.entry else ""
    none = state.suggestion is not None and state.suggestion.large is None
    return {
        Page.COMPUTER: (
            tr("wizard", "This computer"),
            tr("wizard", "A model has to fit its memory. Nothing of this leaves the computer."),
        ),
        Page.CHOOSE: (
            tr("wizard", "Choose a model"),
            ""
            if none
            else tr("wizard", "What suits this computer. Sizes and speeds are estimates."),
        ),
        Page.DOWNLOAD: (
            tr("wizard", "Getting {0}").format(name),
            tr("wizard", "You can go on with something else; the download does as well."),
        ),
        Page.TUNE: (
            tr("wizard", "Find its best settings"),
            tr(
                "wizard",
                "{0} is ready. Tuning tries a few settings and keeps one only where it is surely "
                "faster, then tests how the model calls tools; it takes a minute or two.",
            ).format(name),
        ),
        Page.READY: (
            tr("wizard", "{0} is ready").format(name),
            tr("wizard", "It runs on this computer, and answers without the network."),
        ),
    }[state.page]


def facts(computer: Computer) -> list[tuple[str, str]]:
    """What was found, as pairs of a name and what it is."""
    tr, machine = QCoreApplication.translate, computer.machine
    memory = tr("wizard", "{0}, {1} free").format(
        gigabytes(machine.ram_bytes), gigabytes(machine.ram_free_bytes)
    )
    cores = tr("wizard", "{0} cores").format(count_text(machine.physical_cores))
    processor = joined((machine.cpu_name, cores))
    usable = [gpu for gpu in machine.gpus if gpu.device]
    cards = ", ".join(
        f"{gpu.name} ({gigabytes(gpu.total_bytes)})" if gpu.total_bytes else gpu.name
        for gpu in usable
    )
    none = tr("wizard", "None that could be used; models run on the processor")
    found = [
        (tr("wizard", "Memory"), memory),
        (tr("wizard", "Processor"), processor),
        (tr("wizard", "Graphics"), cards or none),
    ]
    if computer.disk_free_bytes is not None:
        free = tr("wizard", "{0} free").format(gigabytes(computer.disk_free_bytes))
        found.append((tr("wizard", "Disk"), free))
    return [*found, (tr("wizard", "Engine"), computer.engine)]


def figures(candidate: Candidate) -> str:
    """A suggestion in numbers: its download, its speed, its licence."""
    tr = QCoreApplication.translate
    parts = [tr("wizard", "about {0}").format(gigabytes(candidate.size_bytes))]
    if candidate.tokens_per_s:
        parts.append(
            tr("wizard", "about {0}").format(rate_text(candidate.tokens_per_s, rough=True))
        )
    parts.append(tr("wizard", "licence {0}").format(candidate.entry.licence))
    return joined(parts)


def found_text(state: WizardState) -> str:
    """What tuning and the check found; "" where neither was asked for."""
    parts = [verdict_words(state.tuning)[0]] if state.tuning else []
    if state.check:
        parts.append(health_words(state.check))
    return "\n".join(parts)


def tuning_text(state: WizardState) -> str:
    """How far tuning is; "" where it does not run."""
    tr = QCoreApplication.translate
    if state.page is not Page.TUNE or not state.busy:
        return ""
    done, every = state.runs
    if not every:
        return tr("wizard", "Starting the engine")
    words = tr("wizard", "Testing tools, step {0} of {1}")
    if state.tuning is None:
        words = tr("wizard", "Trying settings, run {0} of {1}")
    return words.format(count_text(min(done + 1, every)), count_text(every))


def way_text(download: Download) -> str:
    """How far a download is, how fast, and how much room is left."""
    left = disk_words(download.step.disk_left_bytes)
    return joined((progress(download), left))
