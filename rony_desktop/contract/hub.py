"""What a hub of models offers: models, their files, and the bytes of one file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from rony_desktop.contract.error import Failure
from rony_desktop.contract.launch import Fit
from rony_desktop.contract.speed import Span


@dataclass(frozen=True, slots=True)
class HubModel:
    """A model found on a hub; licence is its short name, "" where the hub does not say."""

    id: str
    downloads: int
    gated: bool
    likes: int = 0
    licence: str = ""
    updated: datetime | None = None


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file of a hub model at one commit.

    name is its path in the model's folder; sha256 is "" where the hub does not say.
    """

    model: str
    name: str
    size_bytes: int
    sha256: str
    revision: str = "main"


@dataclass(frozen=True, slots=True)
class Quant:
    """One thing to download: a file, or all parts of a model in several, in order.

    name is the kind of its weights as the file names say (Q4_K_M), "" where they do not.
    projector says that it is no model but what lets one see or hear.
    """

    name: str
    files: tuple[HubFile, ...]
    projector: bool = False

    def __post_init__(self) -> None:
        if not self.files:
            raise ValueError("a quant has at least one file")

    @property
    def model(self) -> str:
        """The hub's id of the model."""
        return self.files[0].model

    @property
    def revision(self) -> str:
        """The commit its files are of."""
        return self.files[0].revision

    @property
    def size_bytes(self) -> int:
        """All files together."""
        return sum(file.size_bytes for file in self.files)


@dataclass(frozen=True, slots=True)
class Body:
    """The bytes of a file as they come, from byte start on.

    start is 0 where the server did not keep to what was asked. size_bytes is of the whole file,
    0 where the server does not say; etag tells one version of it from another.
    """

    start: int
    size_bytes: int
    etag: str
    blocks: Iterator[bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogEntry:
    """A model worth knowing, from the list that comes with the program.

    model is the hub's id, quant the weights to take of it. parameters_b counts billions; of a
    mixture of experts active_b are used for one token. languages are ISO 639-1 codes.
    """

    model: str
    name: str
    quant: str
    parameters_b: float
    licence: str
    about: str
    languages: tuple[str, ...]
    active_b: float | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A model of the catalog on this computer, as far as its number of weights tells.

    size_bytes is about what is downloaded; tokens_per_s is None while it is not known.
    """

    entry: CatalogEntry
    fits: bool
    tokens_per_s: float | None = None
    size_bytes: int = 0


@dataclass(frozen=True, slots=True)
class QuantOffer:
    """How well something to download would fit this computer, and how fast it should write.

    n_ctx is in tokens, decode in tokens a second. exact is False where another quant's header
    told; failure says why nothing could be told, or that the model cannot chat.
    """

    quant: Quant
    fit: Fit
    n_ctx: int = 0
    decode: Span | None = None
    exact: bool = False
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Three models for this computer, each smaller than the next; None where none fits."""

    small: Candidate | None
    balanced: Candidate | None
    large: Candidate | None
