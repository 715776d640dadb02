"""Ties the page of the models that are here to its presenters, which outlive it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from rony_desktop.ui.file import reveal
from rony_desktop.ui.installed.duplicate import DuplicatePresenter, Sharing
from rony_desktop.ui.installed.foreign import Adoption, ForeignPresenter
from rony_desktop.ui.installed.health import Checks, HealthPresenter
from rony_desktop.ui.installed.presenter import InstalledParts, InstalledPresenter
from rony_desktop.ui.installed.revision import RevisionPresenter, Revisions, Starts
from rony_desktop.ui.installed.view import InstalledPane
from rony_desktop.ui.leads import Leads
from rony_desktop.ui.task import Tasks
from rony_desktop.ui.theme import Theme

if TYPE_CHECKING:
    from rony_desktop.app.feed import Feed


class Store(Adoption, Sharing, Protocol):
    """Finds models of other programs, and those that are here twice."""


@dataclass(frozen=True, slots=True)
class Updates:
    """What was downloaded, whether its hub has newer, and what downloads that."""

    revisions: Revisions
    downloads: Starts


class InstalledDesk:
    """One page at a time; links, merges, checks and questions go on while there is none."""

    def __init__(
        self, parts: InstalledParts, store: Store, updates: Updates, checks: Checks, tasks: Tasks
    ) -> None:
        self._models = InstalledPresenter(parts, tasks)
        self._foreign = ForeignPresenter(store, tasks, self._models.look)
        self._duplicates = DuplicatePresenter(store, tasks, self._models.look)
        self._revisions = RevisionPresenter(updates.revisions, updates.downloads, tasks)
        self._health = HealthPresenter(checks, tasks)

    def open(self, theme: Theme, feed: Feed, leads: Leads) -> InstalledPane:
        """A new page that shows what is known."""
        pane = InstalledPane(theme)
        self._tie_models(pane, leads)
        self._tie_foreign(pane)
        self._tie_duplicates(pane)
        self._tie_revisions(pane, leads)
        self._revisions.attach(pane.revisions, feed)
        health = pane.detail.health
        pane.chosen.connect(lambda key: self._health.show(Path(key) if key else None))
        health.checkRequested.connect(self._health.check)
        health.cancelRequested.connect(self._health.cancel)
        self._health.attach(health)
        self._models.attach(pane, feed)
        return pane

    def close(self) -> None:
        """The page is gone."""
        for presenter in (
            self._models,
            self._foreign,
            self._duplicates,
            self._revisions,
            self._health,
        ):
            presenter.detach()

    def _tie_models(self, pane: InstalledPane, leads: Leads) -> None:
        models, detail = self._models, pane.detail
        pane.useRequested.connect(lambda path: models.use(Path(path)))
        pane.planRequested.connect(lambda path: leads.plan(Path(path)))
        pane.revealRequested.connect(lambda path: reveal(Path(path).parent))
        pane.deleteRequested.connect(lambda path: models.ask_remove(Path(path)))
        pane.addRequested.connect(lambda path: models.add(Path(path)))
        pane.lookRequested.connect(models.look)
        pane.discoverRequested.connect(lambda: leads.show("discover"))
        pane.actionRequested.connect(leads.act)
        detail.keepRequested.connect(models.keep)
        detail.removeRequested.connect(models.remove)

    def _tie_foreign(self, pane: InstalledPane) -> None:
        foreign, page = self._foreign, pane.foreign
        pane.foreignRequested.connect(foreign.look)
        page.lookRequested.connect(foreign.look)
        page.linkRequested.connect(lambda path: foreign.link(Path(path)))
        page.linkAllRequested.connect(foreign.link_all)
        page.cancelRequested.connect(foreign.cancel)
        foreign.attach(page)

    def _tie_duplicates(self, pane: InstalledPane) -> None:
        duplicates, page = self._duplicates, pane.duplicates
        pane.duplicatesRequested.connect(duplicates.look)
        page.lookRequested.connect(duplicates.look)
        page.mergeRequested.connect(duplicates.merge)
        page.mergeAllRequested.connect(duplicates.merge_all)
        page.cancelRequested.connect(duplicates.cancel)
        duplicates.attach(page)

    def _tie_revisions(self, pane: InstalledPane, leads: Leads) -> None:
        revisions, page = self._revisions, pane.revisions
        pane.revisionsRequested.connect(revisions.count)
        page.askRequested.connect(revisions.ask)
        page.updateRequested.connect(lambda path: revisions.update(Path(path)))
        page.updateAllRequested.connect(revisions.update_all)
        page.cancelRequested.connect(revisions.cancel)
        page.downloadsRequested.connect(lambda: leads.show("downloads"))
        page.discoverRequested.connect(lambda: leads.show("discover"))
