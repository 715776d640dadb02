"""What the page of models to download shows, as values."""

from __future__ import annotations

from dataclasses import dataclass

from rony_desktop.contract.download import Download
from rony_desktop.contract.error import Failure
from rony_desktop.contract.hub import HubModel, Quant, QuantOffer, Suggestion
from rony_desktop.contract.launch import Fit


@dataclass(frozen=True, slots=True)
class Found:
    """A search: models is None where nothing was searched for, or it failed.

    suggestion is None until this computer was looked at.
    """

    query: str = ""
    searching: bool = False
    models: tuple[HubModel, ...] | None = None
    failure: Failure | None = None
    suggestion: Suggestion | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """Something of a model that can be downloaded, and what is known of it so far.

    download is the one that fetches it; path is its file where it is on this computer.
    """

    quant: Quant
    offer: QuantOffer | None = None
    download: Download | None = None
    path: str = ""
    recommended: bool = False

    @property
    def doubtful(self) -> bool:
        """Whether it would be of no use here as it looks."""
        return self.offer is not None and self.offer.fit in (Fit.TOO_LARGE, Fit.UNUSABLE)


@dataclass(frozen=True, slots=True)
class Opened:
    """A model whose files are shown; reading says that more is being learned of them.

    chosen is the row to stand on, -1 for none; asked says that the user should press once more to
    download it although it is doubtful.
    """

    model: HubModel
    reading: bool = True
    items: tuple[Item, ...] = ()
    chosen: int = -1
    asked: bool = False
    failure: Failure | None = None

    @property
    def item(self) -> Item | None:
        """The item that is chosen."""
        return self.items[self.chosen] if 0 <= self.chosen < len(self.items) else None
