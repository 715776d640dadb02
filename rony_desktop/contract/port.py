"""Every port of the system on one page; San's primitives are in contract/agent.py.

A port, its adapter, its fake and its test share a file name. Everything that may wait is async and
may be cancelled; CancelledError is never swallowed.
"""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from rony_desktop.contract.approval import Approval, ApprovalRequest
from rony_desktop.contract.config import Config
from rony_desktop.contract.engine import Endpoint, EngineStatus, Launch
from rony_desktop.contract.llm import (
    CompletionRequest,
    CompletionResponse,
    ProviderCapabilities,
    StreamChunk,
)
from rony_desktop.contract.memory import Fragment
from rony_desktop.contract.message import Artifact, Message, ToolCall, ToolResult
from rony_desktop.contract.model import Machine, ModelMetadata, Sample
from rony_desktop.contract.persona import Persona
from rony_desktop.contract.session import Entry, NewEntry, Session, SessionSummary

if TYPE_CHECKING:  # most starts ask no hub
    from rony_desktop.contract.halt import Halt
    from rony_desktop.contract.hub import Body, HubFile, HubModel, Quant


class LLMClient(Protocol):
    """A language model behind a provider. Products never touch a provider's SDK."""

    async def generate(self, request: CompletionRequest) -> CompletionResponse:
        """Return one whole answer. Raises ProviderError."""
        ...

    def stream(self, request: CompletionRequest) -> AsyncGenerator[StreamChunk, None]:
        """Stream an answer; closing the iterator ends the request. Raises ProviderError."""
        ...

    def name(self) -> str: ...  # noqa: D102
    async def capabilities(self) -> ProviderCapabilities:
        """What the model can do, asked of the provider where it can tell."""
        ...


class Embedder(Protocol):
    """Text to vectors."""

    async def embed(self, text: str) -> tuple[float, ...]: ...  # noqa: D102
    def dimensions(self) -> int: ...  # noqa: D102


class TokenCounter(Protocol):
    """Exact where the provider can count, else a safe estimate."""

    async def count(self, messages: Sequence[Message]) -> int:
        """Tokens of these messages as a prompt, template included."""
        ...


class VectorIndex(Protocol):
    """Nearest neighbours by cosine."""

    async def put(self, id: str, vector: Sequence[float]) -> None: ...  # noqa: D102
    async def search(self, vector: Sequence[float], top_k: int) -> Sequence[tuple[str, float]]:
        """Ids with their similarity, best first."""
        ...

    async def delete(self, id: str) -> None: ...  # noqa: D102
    async def count(self) -> int: ...  # noqa: D102


class Memory(Protocol):
    """What is remembered, by meaning."""

    async def add(self, fragment: Fragment) -> None: ...  # noqa: D102
    async def search(self, query: str, top_k: int) -> Sequence[Fragment]: ...  # noqa: D102
    async def forget(self, id: str) -> None: ...  # noqa: D102


class MemoryRetriever(Protocol):
    """What of memory belongs to an input."""

    async def retrieve(self, text: str, session: Session) -> Sequence[Fragment]: ...  # noqa: D102


class SkillsRetriever(Protocol):
    """What of skills belongs to an input."""

    async def retrieve(self, text: str, session: Session) -> Sequence[Fragment]: ...  # noqa: D102


class FragmentStore(Protocol):
    """Fragments on disk."""

    async def put(self, fragment: Fragment) -> None: ...  # noqa: D102
    async def get(self, id: str) -> Fragment | None: ...  # noqa: D102
    async def search_text(self, query: str, limit: int) -> Sequence[Fragment]: ...  # noqa: D102
    async def list(self) -> Sequence[Fragment]: ...  # noqa: D102
    async def delete(self, id: str) -> None: ...  # noqa: D102


class ArtifactStore(Protocol):
    """Blobs by id."""

    async def put(self, data: bytes, name: str, media_type: str) -> Artifact: ...  # noqa: D102
    async def load(self, id: str) -> bytes: ...  # noqa: D102
    async def delete(self, id: str) -> None: ...  # noqa: D102


class ResultStore(Protocol):
    """Large tool results by id. Raises StorageError; load of what is not there: ResultMissing."""

    async def put(self, call: ToolCall, content: str) -> str:
        """Keep a result; return the compact JSON reference that stands for it."""
        ...

    async def load(self, id: str) -> str: ...  # noqa: D102
    async def delete(self, id: str) -> None: ...  # noqa: D102


class RecordStore(Protocol):
    """Small typed records: downloads, tunings, speeds, grants, ledger."""

    async def get(self, kind: str, key: str) -> Mapping[str, Any] | None: ...  # noqa: D102
    async def put(self, kind: str, key: str, record: Mapping[str, Any]) -> None: ...  # noqa: D102
    async def list(self, kind: str) -> dict[str, Mapping[str, Any]]: ...  # noqa: D102
    async def delete(self, kind: str, key: str) -> None: ...  # noqa: D102


class SessionStore(Protocol):
    """Sessions on disk; append-only. Every method raises SessionError."""

    async def load(self, id: str) -> Session:
        """The active branch of a session; unreadable lines become notices."""
        ...

    async def append(
        self, id: str, entries: Sequence[NewEntry], *, durable: bool
    ) -> Sequence[Entry]:
        """Add entries in order, making the session where it is new.

        durable returns only after fdatasync; else the data is with the operating system.
        """
        ...

    async def branch(self, id: str, leaf: str) -> Session:
        """Make the branch that ends in message leaf the active one."""
        ...

    async def compact(self, id: str, summary: str, keep_from: str) -> None:
        """Put summary in the place of everything before message keep_from; deletes nothing."""
        ...

    async def list(self) -> Sequence[SessionSummary]:
        """Every session that is not deleted, newest first."""
        ...

    async def search(self, query: str) -> Sequence[SessionSummary]:
        """Sessions whose messages contain the words, best first, with a snippet."""
        ...

    async def claim(self, id: str) -> Callable[[], None]:
        """Keep every other turn out of a session until the returned function is called.

        Raises SessionBusy where a turn of it runs, in this program or another.
        """
        ...

    async def delete(self, id: str) -> None:
        """Move a session to the bin, where it stays for 30 days."""
        ...

    async def restore(self, id: str) -> None:
        """Take a session back out of the bin."""
        ...


class ToolExecutor(Protocol):
    """Every gate before a tool, then the tool."""

    async def execute(self, call: ToolCall, session: Session) -> ToolResult:
        """Answer one call; every failure but cancellation is an error result."""
        ...


class Approver(Protocol):
    """Asks the user; waiting may last for hours."""

    async def ask(self, request: ApprovalRequest) -> Approval: ...  # noqa: D102


class Sandbox(Protocol):
    """Files under two roots, the chosen folder and the program's own, and no others.

    Every method blocks and raises SandboxViolationError for what leads out, is no plain file or
    folder, or is too large; what is missing or in the way raises OSError's own kinds. Paths are
    relative to the folder.
    """

    @property
    def mode(self) -> str:
        """What enforces the borders: "openat2", "walk" or "handle"."""
        ...

    def open(self, path: str) -> BinaryIO: ...  # noqa: D102
    def create(self, path: str) -> BinaryIO: ...  # noqa: D102
    def read_text(self, path: str) -> str: ...  # noqa: D102
    def read_bytes(self, path: str) -> bytes: ...  # noqa: D102
    def write_text(self, path: str, text: str) -> None: ...  # noqa: D102
    def write_bytes(self, path: str, data: bytes) -> None: ...  # noqa: D102
    def list(self, path: str) -> Sequence[str]: ...  # noqa: D102
    def stat(self, path: str) -> os.stat_result: ...  # noqa: D102
    def mkdir(self, path: str) -> None: ...  # noqa: D102
    def remove(self, path: str) -> None: ...  # noqa: D102
    def rename(self, source: str, target: str) -> None: ...  # noqa: D102
    def validate(self, path: str) -> None:
        """Refuse a path that cannot lie inside; what it names need not exist."""
        ...

    def relative(self, path: str) -> str:
        """A path as the folder's own spelling: inside, links resolved, "/" between its parts.

        An absolute path inside the folder is taken too.
        """
        ...

    def protected(self, path: str) -> bool:
        """Whether a path names what runs code or steers the assistant, existing or not."""
        ...


class Checkpoint(Protocol):
    """Files as they were before a run."""

    async def keep(self, run: str, path: Path) -> str: ...  # noqa: D102
    async def restore(self, id: str) -> None: ...  # noqa: D102
    async def list(self, run: str) -> Sequence[str]: ...  # noqa: D102


class PersonaLoader(Protocol):
    """Personas from their files. Blocking: call it in a thread. Raises PersonaError."""

    def load(self, path: Path) -> Persona: ...  # noqa: D102
    def discover(self, folder: Path) -> Persona: ...  # noqa: D102


class ConfigLoader(Protocol):
    """The configuration, from flags, environment and files."""

    def load(self, folder: Path | None) -> Config:
        """Merge every level; folder is the workspace whose rony.yaml may count."""
        ...


class SecretStore(Protocol):
    """Keys of providers."""

    async def get(self, name: str) -> str | None: ...  # noqa: D102
    async def set(self, name: str, value: str) -> None: ...  # noqa: D102
    async def delete(self, name: str) -> None: ...  # noqa: D102


class ModelHub(Protocol):
    """Where models are found. Every method raises HubError."""

    async def search(self, query: str, limit: int) -> Sequence[HubModel]:
        """Models that have GGUF files, the most downloaded first."""
        ...

    async def files(self, model: str) -> Sequence[Quant]:
        """What of a model can be downloaded, the smallest first."""
        ...

    async def header(self, quant: Quant) -> ModelMetadata:
        """What the file says of itself, read without the rest of it. Raises ModelFileError too."""
        ...

    def fetch(
        self, file: HubFile, offset: int, halt: Halt, limit_bytes: int | None = None
    ) -> AbstractContextManager[Body]:
        """The bytes of a file from offset on, at most limit_bytes. Blocking.

        Leaving the block ends the request. Raises Halted, and UpstreamChanged where the file is
        shorter than offset.
        """
        ...


class Answer(Protocol):
    """The answer to one HTTP request; header names are in lower case."""

    @property
    def status(self) -> int: ...  # noqa: D102
    @property
    def headers(self) -> Mapping[str, str]: ...  # noqa: D102
    def blocks(self) -> Iterator[bytes]:
        """The body as it comes. Raises HubUnreachable where it breaks off, Halted."""
        ...


class Web(Protocol):
    """HTTP as far as a hub needs it. Blocking: call it in a thread."""

    def get(
        self, url: str, headers: Mapping[str, str], halt: Halt
    ) -> AbstractContextManager[Answer]:
        """Send one request; no redirect is followed. Leaving the block closes the connection.

        Raises HubUnreachable, HubOffline, HubUntrusted; Halted where halt stops it.
        """
        ...


class MetadataReader(Protocol):
    """What a model file says of itself."""

    def read(self, path: Path) -> ModelMetadata:
        """Read the header only. Blocking: call it in a thread. Raises ModelFileError."""
        ...


class SystemProbe(Protocol):
    """What machine this is."""

    def detect(self) -> Machine: ...  # noqa: D102


class Engine(Protocol):
    """llama-server as a supervised child."""

    async def start(self, launch: Launch) -> None:
        """Start and return when ready. Raises EngineError."""
        ...

    async def stop(self) -> None:
        """End the child; returns when it is gone."""
        ...

    def suspect(self) -> None:
        """Ask for a health check now: a stream has fallen silent."""
        ...

    def status(self) -> EngineStatus: ...  # noqa: D102
    def endpoint(self) -> Endpoint:
        """Base URL, socket and key of the running engine. Raises EngineError where none runs."""
        ...


class Monitor(Protocol):
    """Memory that is left."""

    def sample(self) -> Sample:
        """Take a sample; blocks for less than 5 ms."""
        ...
