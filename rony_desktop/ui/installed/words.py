"""The words of the models that are here: folders, deletions, checks, links, duplicates."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from rony_desktop.contract.adopt import Duplicate, Found
from rony_desktop.contract.check import ModelCheck, Shape, ToolMode, ToolScore
from rony_desktop.contract.download import Download, DownloadState
from rony_desktop.contract.launch import Offer
from rony_desktop.contract.model import ModelRef
from rony_desktop.contract.revision import Revision
from rony_desktop.contract.root import Root, RootState
from rony_desktop.ui.approval.escape import visible
from rony_desktop.ui.dot import joined
from rony_desktop.ui.error import words
from rony_desktop.ui.installed.foreign import ForeignState
from rony_desktop.ui.installed.presenter import Asked
from rony_desktop.ui.installed.revision import RevisionState
from rony_desktop.ui.installed.row import Row
from rony_desktop.ui.model.offer import OfferRow
from rony_desktop.ui.number import size_text
from rony_desktop.ui.plan.verdict import LOOKS
from rony_desktop.ui.plan.words import fit_word


def place_text(path: Path) -> str:
    """A path with ~ for the home folder, and nothing in it that cannot be seen."""
    home, text = str(Path.home()), str(path)
    inside = text == home or text.startswith(home + os.sep)
    return visible("~" + text[len(home) :] if inside else text)


def model_row(model: ModelRef, offer: Offer | None, *, current: bool) -> Row:
    """A model: what is known of it, how it fits, and whether it is in use."""
    tr = QCoreApplication.translate
    detail = OfferRow(model, current, offer).detail
    in_use = tr("installed", "in use")
    sign, role = LOOKS[offer.fit] if offer else ("", "")
    return Row(
        key=str(model.path),
        title=visible(model.id),
        detail=joined((in_use, detail)) if current else detail,
        mark=(sign, role, fit_word(offer.fit)) if offer else None,
        ticked=current,
        muted=bool(offer and offer.failure),
    )


def root_row(root: Root) -> Row:
    """A folder: a heading, or where it is not there a line that says so."""
    tr = QCoreApplication.translate
    place = place_text(root.folder)
    if root.state is RootState.READY:
        return Row("", _heading(root, place))
    title, about = {
        RootState.MISSING: (
            tr("installed", "Not there now: {0}"),
            tr("installed", "Plug its drive in or connect its network, then look again."),
        ),
        RootState.UNREADABLE: (
            tr("installed", "Cannot be read: {0}"),
            tr("installed", "You have no right to look into this folder."),
        ),
        RootState.SILENT: (
            tr("installed", "Does not answer: {0}"),
            tr("installed", "Its drive or network may hang; look again in a moment."),
        ),
    }[root.state]
    return Row(root_key(root), title.format(place), about, muted=True)


def root_key(root: Root) -> str:
    """The key of the row of a folder that is not there; no path is like it."""
    return f"{root.state}:{root.folder}"


def _heading(root: Root, place: str) -> str:
    tr = QCoreApplication.translate
    parts = [place]
    if not root.writable:
        parts.append(tr("installed", "read only"))
    if not root.models:
        parts.append(tr("installed", "no model in it"))
    if root.skipped:
        parts.append(tr("installed", "{0} not looked at").format(len(root.skipped)))
    return joined(parts)


def sum_words(count: int, size_bytes: int) -> str:
    """How many models there are, and what they take."""
    tr = QCoreApplication.translate
    if count == 1:
        return tr("installed", "One model, {0}").format(size_text(size_bytes))
    return tr("installed", "{0} models, {1}").format(count, size_text(size_bytes))


def asked_words(asked: Asked) -> tuple[str, str]:
    """The question before a model is deleted and what it does, or why it cannot be."""
    tr = QCoreApplication.translate
    name, removal = visible(asked.model.id), asked.removal
    if asked.in_use:
        return (
            tr("installed", "{0} is in use").format(name),
            tr("installed", "Go over to another model first, then delete this one."),
        )
    if not removal.ours:
        folder = place_text(removal.files[0].parent) if removal.files else ""
        return (
            tr("installed", "{0} is not the program's to delete").format(name),
            tr(
                "installed", "It lies in {0}, outside of the program's folder: delete it there."
            ).format(folder),
        )
    question = tr("installed", "Delete {0}?").format(name)
    if removal.linked and not removal.freed_bytes:
        return question, tr(
            "installed",
            "Only the link is deleted: the file belongs to another program or folder, and nothing "
            "is freed.",
        )
    size = size_text(removal.freed_bytes)
    if len(removal.files) == 1:
        return question, tr("installed", "Deletes one file for good, frees {0}.").format(size)
    about = tr("installed", "Deletes {0} files for good, frees {1}.")
    return question, about.format(len(removal.files), size)


def health_words(health: ModelCheck | None) -> str:
    """What a check found."""
    tr = QCoreApplication.translate
    if health is None:
        return tr("installed", "Not checked yet: its chat template, and how it calls tools")
    if health.failure is not None:
        return words(health.failure).sentence
    if health.loses_last:
        template = tr("installed", "Its template leaves out the newest message")
    elif broken := [shape for shape in health.shapes if not shape.works]:
        template = tr("installed", "Its template has trouble with {0}").format(
            ", ".join(shape_word(each.shape) for each in broken)
        )
    else:
        template = tr("installed", "Chat template works")
    calling = {
        ToolMode.NATIVE: tr("installed", "tools: its own form, {0}").format(_score(health.native)),
        ToolMode.ENVELOPE: tr("installed", "tools: through an envelope, {0}").format(
            _score(health.envelope)
        ),
        ToolMode.NONE: tr("installed", "cannot call tools"),
    }[health.mode]
    return joined((template, calling))


def found_row(found: Found, state: ForeignState) -> Row:
    """A model of another program."""
    tr = QCoreApplication.translate
    detail = joined((found.program.value, size_text(found.size_bytes), place_text(found.path)))
    mark = None
    if failure := state.failures.get(found.path):
        detail = words(failure).sentence
        mark = ("circle-alert", "danger", tr("installed", "Not linked"))
    elif state.linking == found:
        mark = ("", "text2", tr("installed", "Linking"))
    elif found.path in state.linked:
        mark = ("check", "ok", tr("installed", "Linked"))
    return Row(str(found.path), visible(found.name), detail, mark)


def duplicate_row(duplicate: Duplicate) -> Row:
    """One content that is there more than once."""
    tr = QCoreApplication.translate
    copies = len(duplicate.copies)
    times = (
        tr("installed", "one copy") if copies == 1 else tr("installed", "{0} copies").format(copies)
    )
    detail = joined((times, place_text(duplicate.kept)))
    frees = tr("installed", "frees {0}").format(size_text(duplicate.saved_bytes))
    return Row(duplicate.sha256, visible(duplicate.copies[0].stem), detail, ("", "text2", frees))


def revision_row(revision: Revision, state: RevisionState) -> Row:
    """A model that its hub has in a newer form."""
    tr = QCoreApplication.translate
    changed, every = len(revision.changed), len(revision.offered.files)
    size = size_text(revision.fetched_bytes)
    what = (
        tr("installed", "Changed, {0} to download").format(size)
        if every == 1
        else tr("installed", "{0} of {1} files changed, {2} to download").format(
            changed, every, size
        )
    )
    download = state.downloads.get(revision.path)
    tip = ""
    if download and download.failure:
        text = words(download.failure)
        what, tip = text.sentence, text.remedy
    before, after = (_commit(quant.revision) for quant in (revision.had, revision.offered))
    return Row(
        str(revision.path),
        visible(revision.path.stem),
        joined((what, visible(revision.offered.model))),
        _update_mark(download),
        tip=tip or tr("installed", "Commit {0}, here {1}").format(after, before),
    )


def _update_mark(download: Download | None) -> tuple[str, str, str] | None:
    tr = QCoreApplication.translate
    if download is None:
        return None
    return {
        DownloadState.DONE: ("check", "ok", tr("installed", "Updated")),
        DownloadState.FAILED: ("circle-alert", "danger", tr("installed", "Not updated")),
        DownloadState.PAUSED: ("", "text2", tr("installed", "Paused")),
    }.get(download.state, ("", "text2", tr("installed", "Downloading")))


def _commit(revision: str) -> str:
    return visible(revision[:7])


def shape_word(shape: Shape) -> str:
    """A form of conversation that a template has to render."""
    tr = QCoreApplication.translate
    return {
        Shape.SYSTEM: tr("installed", "a system text"),
        Shape.TURNS: tr("installed", "a second question"),
        Shape.TOOLS: tr("installed", "tools"),
        Shape.RESULT: tr("installed", "results of tools"),
    }[shape]


def _score(score: ToolScore | None) -> str:
    return f"{score.right}/{score.tried}" if score else "\u2013"
