"""The words of the wizard."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rony_desktop.ui.wizard.presenter import Page, WizardState
from rony_desktop.ui.wizard.words import facts, figures, heading, step_text, tuned_text
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
    assert tuned_text(None) == ""
