"""The shape of a network as its file tells it: what each layer keeps between tokens.

Rules and defaults are those of llama.cpp's model loaders (src/models, src/llama-hparams.cpp).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from rony_desktop.contract.model import ModelMetadata, Tensor
from rony_desktop.model.architecture import ENCODERS, KNOWN
from rony_desktop.model.sliding import windows_of

# The engine takes no more (LLAMA_MAX_LAYERS).
LAYERS_LIMIT = 512
_DRAFTS = frozenset({"eagle3", "dflash", "gemma4-assistant"})
_BLOCK = re.compile(r"blk\.(\d+)\.(.+)")
_RECURRENT = ("ssm_conv1d", "ssm_a", "shortconv.conv", "time_mix_")
_ATTENTION = ("attn_k.", "attn_kv_a_mqa.", "attn_kv_b.", "attn_kv.")
# gemma3n says its number of layers with a cache nowhere.
_GEMMA3N_CACHED = 20


class Role(StrEnum):
    """What a file is for."""

    MODEL = "model"
    ENCODER = "encoder"
    PROJECTOR = "projector"
    DRAFT = "draft"


class Kind(StrEnum):
    """What a layer keeps between tokens; both is an attention beside a recurrence."""

    FULL = "full attention"
    WINDOW = "sliding window"
    LATENT = "latent attention"
    RECURRENT = "recurrent"
    BOTH = "attention and recurrent"
    SHARED = "cache of another layer"
    NONE = "nothing"


@dataclass(frozen=True, slots=True)
class Layer:
    """One block: values kept of a token in K and V, the window (0: all), values kept of a slot."""

    kind: Kind
    key_width: int = 0
    value_width: int = 0
    window: int = 0
    state: int = 0


@dataclass(frozen=True, slots=True)
class Recurrence:
    """Widths of a state-space block: what enters it, its convolution, its inside."""

    projected: int
    convolved: int
    inner: int


@dataclass(frozen=True, slots=True)
class Geometry:
    """A network by its widths, in values of one token.

    known is False where the architecture is not known: then layers are dense upper bounds. trunk
    counts the layers that are loaded; a draft head behind them is not.
    embeds says that a server runs it for embeddings, so every token is an output.
    """

    architecture: str
    role: Role
    known: bool
    layers: tuple[Layer, ...]
    trunk: int
    width: int
    heads: int
    query_width: int
    key_width: int
    latent_width: int
    ff: int
    gated: bool
    fused: bool
    experts: int
    experts_used: int
    expert_ff: int
    expert_shared: bool
    per_layer_width: int
    vocabulary: int
    tied: bool
    causal: bool
    embeds: bool
    recurrence: Recurrence | None


def geometry_of(model: ModelMetadata) -> Geometry:
    """Work out the shape of a model from its keys and the names of its tensors."""
    return _Shape(model).geometry()


class _Shape:
    """One file while its shape is worked out."""

    def __init__(self, model: ModelMetadata) -> None:
        self._model = model
        self._tensors: dict[str, Tensor] = {tensor.name: tensor for tensor in model.tensors}
        self._blocks: dict[int, set[str]] = {}
        for name in self._tensors:
            if found := _BLOCK.match(name):
                self._blocks.setdefault(int(found[1]), set()).add(found[2])
        self._names = {name for names in self._blocks.values() for name in names}
        self._trunk = max(0, model.block_count - self._number("nextn_predict_layers"))
        # A draft head at the end is not used, but only hybrids make no cache for it.
        mixed = any(_any(names, _RECURRENT) for names in self._blocks.values())
        self._count = min(self._trunk if mixed else model.block_count, LAYERS_LIMIT)
        self._windows = windows_of(model, self._count)

    def geometry(self) -> Geometry:
        layers = tuple(self._layer(index) for index in range(self._count))
        architecture = self._model.architecture
        heads = max(self._by_layer("attention.head_count", self._model.head_count), default=0)
        ff = max(self._by_layer("feed_forward_length", 0), default=0)
        causal = bool(self._model.values.get(f"{architecture}.attention.causal", True))
        causal = causal and architecture not in ENCODERS
        return Geometry(
            architecture=architecture,
            role=self._role(),
            known=architecture in KNOWN and self._model.block_count <= LAYERS_LIMIT,
            layers=layers,
            trunk=self._trunk,
            width=self._model.embedding_length,
            heads=heads,
            query_width=heads * self._widest_key(),
            key_width=max((layer.key_width for layer in layers), default=0),
            latent_width=self._number("attention.kv_lora_rank") if self._latent else 0,
            ff=ff if self._has("ffn_up.weight") or not self._names else 0,
            gated=self._has("ffn_gate.weight") or self._doubled(ff),
            fused=any(
                "attn_qkv.weight" in names and not _any(names, _RECURRENT)
                for names in self._blocks.values()
            ),
            experts=self._number("expert_count"),
            experts_used=self._number("expert_used_count"),
            expert_ff=self._number("expert_feed_forward_length") or ff,
            expert_shared=self._has("ffn_up_shexp.weight"),
            per_layer_width=self._number("embedding_length_per_layer_input") * self._count,
            vocabulary=self._model.vocabulary_size,
            tied="output.weight" not in self._tensors and causal,
            causal=causal,
            embeds=not causal or self._number("pooling_type") > 0,
            recurrence=self._recurrence(),
        )

    def _role(self) -> Role:
        architecture = self._model.architecture
        if architecture == "clip" or self._model.values.get("general.type") == "mmproj":
            return Role.PROJECTOR
        if architecture in _DRAFTS:
            return Role.DRAFT
        return Role.ENCODER if architecture in ENCODERS else Role.MODEL

    def _layer(self, index: int) -> Layer:
        names = self._blocks.get(index)
        recurrent = names is not None and _any(names, _RECURRENT)
        attends = names is None or (
            _any(names, _ATTENTION) or (not recurrent and _any(names, ("attn_qkv.",)))
        )
        state = self._state() if recurrent else 0
        if self._model.architecture not in ENCODERS and index >= self._cached:
            return Layer(Kind.SHARED)
        if self._model.architecture in ENCODERS or not (attends or recurrent):
            return Layer(Kind.NONE)
        if not attends:
            return Layer(Kind.RECURRENT, state=state)
        window = self._windows[index]
        heads = self._by_layer("attention.head_count_kv", self._model.head_count_kv)[index]
        key, value = self._head_widths(windowed=window > 0)
        kind = Kind.WINDOW if window else Kind.FULL
        if self._latent:
            kind, value = Kind.LATENT, 0
        return Layer(Kind.BOTH if recurrent else kind, heads * key, heads * value, window, state)

    @property
    def _latent(self) -> bool:
        return self._number("attention.key_length_mla") > 0

    @property
    def _cached(self) -> int:
        """How many layers from the first have a cache of their own."""
        if self._model.architecture == "gemma3n":
            return _GEMMA3N_CACHED
        return self._count - self._number("attention.shared_kv_layers")

    def _head_widths(self, *, windowed: bool) -> tuple[int, int]:
        key, value = self._model.key_length, self._model.value_length
        if windowed:
            key = self._number("attention.key_length_swa") or key
            value = self._number("attention.value_length_swa") or value
        return key, value

    def _widest_key(self) -> int:
        return max(self._model.key_length, self._number("attention.key_length_swa"))

    def _state(self) -> int:
        """Values a recurrent layer keeps of a slot (n_embd_r and n_embd_s of llama.cpp)."""
        width, number = self._model.embedding_length, self._number
        if number("wkv.head_size"):
            return width * (number("wkv.head_size") + (number("token_shift_count") or 2))
        if number("shortconv.l_cache"):
            return width * (number("shortconv.l_cache") - 1)
        kernel = number("ssm.conv_kernel") - 1
        if head := number("kda.head_dim"):
            return self._model.head_count * head * (3 * kernel + head)
        inner, state = number("ssm.inner_size"), number("ssm.state_size")
        return kernel * (inner + 2 * number("ssm.group_count") * state) + inner * state

    def _recurrence(self) -> Recurrence | None:
        """The widest state-space block, where it is a Mamba: what it holds at once is known."""
        entering = self._rows("ssm_in.weight")
        if not entering:
            return None
        inner, state = self._number("ssm.inner_size"), self._number("ssm.state_size")
        convolved = inner + 2 * self._number("ssm.group_count") * state
        return Recurrence(entering, convolved, inner)

    def _doubled(self, ff: int) -> bool:
        """Whether the up projection carries the gate too, as in phi3."""
        return ff > 0 and self._rows("ffn_up.weight") == 2 * ff

    def _rows(self, name: str) -> int:
        """Most rows of the matrices of this name; 0 where there are none."""
        shapes = (t.shape for t in self._model.tensors if t.name.endswith("." + name))
        return max((shape[1] for shape in shapes if shape[1:]), default=0)

    def _has(self, name: str) -> bool:
        return name in self._names

    def _number(self, name: str) -> int:
        value = self._model.values.get(f"{self._model.architecture}.{name}")
        return value if isinstance(value, int) and value > 0 else 0

    def _by_layer(self, name: str, default: int) -> list[int]:
        """A number that is one for all layers or given by layer."""
        given = self._model.lists.get(f"{self._model.architecture}.{name}", ())
        every = self._number(name) or default
        return [given[i] if i < len(given) else every for i in range(self._count)]


def _any(names: set[str], starts: tuple[str, ...]) -> bool:
    return any(name.startswith(starts) for name in names)
