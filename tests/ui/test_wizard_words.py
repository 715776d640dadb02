"""The words of the wizard."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rony_desktop.contract.check import ModelCheck, ToolMode
from rony_desktop.contract.speed import Trial, Tuning, Verdict
from rony_desktop.ui.wizard.presenter import Page, WizardState
from rony_desktop.ui.wizard.words import facts, figures, found_text, heading, step_text, tuning_text
from tests.fixture.speed import launch
from tests.fixture.wizard import CANDIDATE, COMPUTER, ENTRY, NOTHING

pytestmark = pytest.mark.ui


def test_every_page_has_a_title_and_all_but_the_last_are_steps() -> None:
    titles = {heading(WizardState(page, entry=ENTRY))[0] for page in Page}
    assert len(titles) == len(Page)
    assert [step_text(page)[:6] for page in Page] == ["Step 1", "Step 2", "Step 3", "Step 4", ""]


def test_where_nothing_fits_nothing_is_promised() -> None:
    assert heading(WizardState(Page.CHOOSE, suggestion=NOTHING))[1] == ""
    assert heading(WizardState(Page.CHOOSE))[1]


def test_what_is_not_known_is_left_out() -> None:
    bare = replace(COMPUTER, machine=replace(COMPUTER.machine, gpus=()), disk_free_bytes=None)
    found = dict(facts(bare))
    assert "Disk" not in found
    assert found["Graphics"].startswith("None")
    assert dict(facts(COMPUTER))["Disk"].startswith("200.0")


def test_a_suggestion_in_numbers() -> None:
    assert figures(CANDIDATE).count("about") == 2
    assert figures(replace(CANDIDATE, tokens_per_s=None)).count("about") == 1
    assert "apache-2.0" in figures(CANDIDATE)


def test_nothing_was_tuned() -> None:
    assert found_text(WizardState(Page.READY)) == ""


def test_what_was_tuned_and_checked_is_told() -> None:
    tuning = Tuning(Verdict.KEPT, launch(), 0.0, 0.0, (Trial({}, 2.0, 2.0, 1.0, 0.0),))
    checked = ModelCheck(build="b1", mode=ToolMode.NONE)
    found = found_text(WizardState(Page.READY, tuning=tuning, check=checked))
    assert found.splitlines()[1] == "Chat template works · cannot call tools"
    busy = WizardState(Page.TUNE, busy=True, runs=(2, 5))
    assert tuning_text(busy) == "Trying settings, run 3 of 5"
    assert tuning_text(replace(busy, tuning=tuning)) == "Testing tools, step 3 of 5"
    assert tuning_text(replace(busy, runs=(0, 0))) == "Starting the engine"
