"""The words of models to download: what they are, how they would fit, and what the button does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from PySide6.QtCore import QCoreApplication

from rony_desktop.contract.download import Download, DownloadState
from rony_desktop.contract.hub import HubModel, QuantOffer
from rony_desktop.ui.approval.escape import visible
from rony_desktop.ui.discover.lines import Line
from rony_desktop.ui.discover.state import Found, Item, Opened
from rony_desktop.ui.dot import joined
from rony_desktop.ui.download.words import share_of, state_word
from rony_desktop.ui.error import words
from rony_desktop.ui.number import (
    count_text,
    gigabytes,
    rate_text,
    rough_count,
    share_text,
    short_count,
)
from rony_desktop.ui.plan.verdict import LOOKS
from rony_desktop.ui.plan.words import fit_sentence, fit_word
from rony_desktop.ui.speed.words import rate_range
from rony_desktop.ui.token import THIN

_UNBROKEN = "\u202f"  # a thin space at which no line ends
_DATE = "%Y-%m-%d"


def model_line(model: HubModel) -> Line:
    """A model that was found."""
    tr = QCoreApplication.translate
    parts = [
        tr("discover", "{0} downloads").format(rough_count(model.downloads)),
        model.updated.strftime(_DATE) if model.updated else "",
        visible(model.licence),
        tr("discover", "{0} likes").format(rough_count(model.likes)) if model.likes else "",
    ]
    detail = joined(parts)
    gated = tr("discover", "The licence must be accepted on the hub first.")
    return Line(
        title=visible(model.id),
        detail=detail,
        tip=f"{visible(model.id)}\n{detail}" + (f"\n{gated}" if model.gated else ""),
        sign="shield" if model.gated else "",
        role="warn",
        side=tr("discover", "Gated") if model.gated else "",
    )


def origin(model: HubModel) -> str:
    """What is said of an opened model below its name."""
    tr = QCoreApplication.translate
    licence = visible(model.licence)
    parts = [
        tr("discover", "Licence {0}").format(licence) if licence else "",
        tr("discover", "accept it on the hub first") if model.gated else "",
        tr("discover", "updated {0}").format(model.updated.strftime(_DATE))
        if model.updated
        else "",
    ]
    return joined(parts)


def found_words(found: Found) -> str:
    """What is said over the list of models that were found, or the suggestions in its place."""
    tr, query = QCoreApplication.translate, visible(found.query)
    if found.searching:
        return tr("discover", "Searching for “{0}”").format(query)
    if found.models:
        one, many = tr("discover", "1 model"), tr("discover", "{0} models, most downloaded first")
        return one if len(found.models) == 1 else many.format(count_text(len(found.models)))
    if found.models is not None:
        return tr("discover", "Nothing was found for “{0}”. Try fewer or other words.").format(
            query
        )
    return tr("discover", "Nothing is sent before you search.")


def titles(items: Sequence[Item]) -> list[str]:
    """Names to tell the items of a model apart: of the weights, else of the file."""
    counts = Counter(item.quant.name for item in items)
    return [
        item.quant.name
        if item.quant.name and counts[item.quant.name] == 1
        else visible(PurePosixPath(item.quant.files[0].name).stem)
        for item in items
    ]


def item_line(item: Item, title: str) -> Line:
    """Something to download, and what is known of it so far."""
    tr, offer, files = QCoreApplication.translate, item.offer, len(item.quant.files)
    known = offer if offer and not offer.failure else None
    parts = [
        gigabytes(item.quant.size_bytes),
        _speed(known) if known and known.decode else "",
        tr("discover", "context {0}").format(short_count(known.n_ctx))
        if known and known.n_ctx
        else "",
        tr("discover", "{0} files").format(count_text(files)) if files > 1 else "",
    ]
    detail = joined(parts)
    sign, role = LOOKS[offer.fit] if offer else ("", "text2")
    return Line(
        title=title,
        detail=detail,
        tip="\n".join((visible(item.quant.files[0].name), detail, *_range(known))),
        tag=tr("discover", "Recommended") if item.recommended else "",
        sign=sign,
        role=role,
        side=fit_word(offer.fit) if offer else "",
        below=_place(item),
    )


def item_sentence(opened: Opened) -> str:
    """What the chosen item means for the user."""
    tr, item = QCoreApplication.translate, opened.item
    looking = tr("discover", "Looking how it fits this computer")
    if item is None:
        return looking if opened.reading else ""
    if item.download and item.download.failure:
        text = words(item.download.failure)
        return f"{text.sentence} {text.remedy}".strip()
    if item.path:
        return tr("discover", "It is on this computer.")
    if opened.asked:
        return tr("discover", "It will probably be of no use here. Press again to download it.")
    if item.offer:
        return _offer_sentence(item.offer)
    return looking if opened.reading else tr("discover", "How it fits is not known.")


def press_words(opened: Opened) -> tuple[str, str]:
    """What the button says and its look, for the chosen item."""
    tr, item = QCoreApplication.translate, opened.item
    if item is None:
        return "", "outline"
    if item.path:
        return tr("discover", "Use now"), "primary"
    if item.download:
        return {
            DownloadState.PAUSED: (tr("discover", "Resume"), "primary"),
            DownloadState.FAILED: (tr("discover", "Try again"), "primary"),
        }.get(item.download.state, (_going(item.download), "outline"))
    if opened.asked:
        return tr("discover", "Download anyway"), "outline"
    label = tr("discover", "Download {0}").format(gigabytes(item.quant.size_bytes))
    return label, "outline" if item.doubtful else "primary"


def about(text: str) -> str:
    """A number that is only a guess."""
    return QCoreApplication.translate("discover", "about {0}").format(text)


def _offer_sentence(offer: QuantOffer) -> str:
    if offer.failure:
        return words(offer.failure).sentence
    return " ".join((fit_sentence(offer.fit), *_range(offer)))


def _place(item: Item) -> str:
    if item.path:
        return QCoreApplication.translate("discover", "On this computer")
    return _going(item.download) if item.download else ""


def _going(download: Download) -> str:
    tr = QCoreApplication.translate
    if download.state is DownloadState.RUNNING:
        return tr("discover", "Downloading {0}").format(share_text(share_of(download)))
    return state_word(download)


def _speed(offer: QuantOffer) -> str:
    text = rate_text(offer.decode.value, rough=True) if offer.decode else ""
    return text if offer.exact else about(text)


def _range(offer: QuantOffer | None) -> Iterator[str]:
    """The range a speed is expected in, where one is known."""
    if offer and offer.decode:
        tr = QCoreApplication.translate
        yield tr("discover", "Expected: {0}.").format(
            rate_range(offer.decode).replace(THIN, _UNBROKEN)
        )
